import type { Sample } from "../../samples.ts";

const DATABASE = "a database";
const SERVER = "Node: it starts a server";

/** What a page does not have, by the imports of a sample. The first row that matches is shown. */
const NEEDS: readonly (readonly [RegExp, string])[] = [
  [/^(bullmq|pg-boss|\.\/(bullmq|pg-boss)\.ts)$/, "a queue"],
  [/^(node:sqlite|pg|ioredis|kysely|drizzle-orm\/.+)$/, DATABASE],
  [/^(node:(http|net)|express|fastify|@hono\/node-server|@nestjs\/.+)$/, SERVER],
  [/^node:(fs|os)/, "Node: it reads or writes files"],
  [/^node:(assert|test)/, "Node: it uses the tools of Node for tests"],
  [/^vitest$/, "Node: it uses Vitest"],
  [
    /^(node:diagnostics_channel|@fieldmesh\/opentelemetry)$/,
    "Node: it subscribes to a channel of Node",
  ],
  [/^msw\/node$/, "Node: MSW replaces the HTTP client of Node"],
  [/^undici$/, "Node: it replaces the HTTP client of Node"],
  [/^@fieldmesh\/prove$/, "Node: the search uses AsyncLocalStorage"],
  [/^@fieldmesh\/(rate-limit|webhook-types\/stores)$/, DATABASE],
  [/^\.\/receiver\.ts$/, "the server of its framework"],
];

/**
 * Returns what a sample needs that a page does not have, or `undefined` if the page can run it. Throws for a block that is not
 * executed and has no row, because nothing says that it can run.
 */
export function needOf({ name, code, isExecuted }: Sample): string | undefined {
  if (code.includes("sandbox.page")) return SERVER;
  const imports = [...code.matchAll(/(?:from |import\()\s*"([^"]+)"/g)].map(([, id = ""]) => id);
  const need = NEEDS.find(([pattern]) => imports.some((id) => pattern.test(id)))?.[1];
  if (need === undefined && !isExecuted)
    throw new Error(`${name}: add what it needs to docs/site/run/needs.ts.`);
  return need;
}

/** Tells whether a sample has a button: a page can run it, and it prints something. */
export function canRun(sample: Sample): boolean {
  return sample.output !== "" && needOf(sample) === undefined;
}

/**
 * Returns the name of the file that has a sample: `cookbook` for `cookbook-1`. Samples with webhooks have a file of their own, so
 * that neither contains what only the other one calls.
 */
export function fileOf({ name, code }: Sample): string {
  const page = name.replace(/-\d+$/, "");
  return code.includes(`"@fieldmesh/webhook-types`) ? `${page}-with-webhooks` : page;
}
