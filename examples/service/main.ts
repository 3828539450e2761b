// A service that keeps a table of subscribers up to date from webhooks: docs/guides/production.md explains it.
//
//   node examples/service/main.ts migrate   creates the tables, before a deployment
//   node examples/service/main.ts           receives webhooks on PORT, and serves metrics on METRICS_PORT
//   node examples/service/main.ts nightly   handles the events that never arrived, and cleans up, once a day
//   node examples/service/main.ts aside     lists the events that were set aside
//   node examples/service/main.ts again     runs them again, after you fixed the handler
import { listAside, runAside } from "./aside.ts";
import { nightly } from "./nightly.ts";
import { serve } from "./serve.ts";
import { migrate, pool } from "./storage.ts";

const commands: Readonly<Record<string, () => Promise<void>>> = {
  migrate,
  nightly,
  aside: listAside,
  again: runAside,
};

const [name] = process.argv.slice(2);
const command = name === undefined ? undefined : commands[name];
if (name === undefined) await serve();
else if (command === undefined) {
  console.error(`There is no command ${name}. Use one of ${Object.keys(commands).join(", ")}.`);
  process.exitCode = 2;
} else {
  try {
    await command();
  } finally {
    await pool.end();
  }
}
