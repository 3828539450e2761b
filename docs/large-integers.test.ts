import { createLedgerClient, parseJson, stringifyJson } from "@fieldmesh/ledger-client";
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort } from "../tools/servers.ts";
import { openPrograms } from "./programs.ts";

// The programs of the guide serve the accounts of a ledger, each from its own process.

const programs = openPrograms("validation", "large-integers");
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1 });
});
afterEach(() => programs.stop());
afterAll(async () => {
  programs.remove();
  await sandbox.close();
});

test.each([
  ["express", "Express 5"],
  ["fastify", "Fastify 5"],
  ["nest", ""],
])("%s sends every digit", async (name, tab) => {
  const port = await freePort();
  const program =
    name === "nest"
      ? writeNest(port)
      : programs.write(name, "### Large integers in your own API", port, tab);
  const { baseUrl } = sandbox.ledger;
  await programs.start(program, port, { LEDGER_URL: baseUrl });

  const [account] = await createLedgerClient({ baseUrl }).accounts.rich({ limit: 1 });
  const response = await fetch(`http://127.0.0.1:${port}/accounts/${account!.address}`);

  expect(response.headers.get("content-type")).toContain("application/json");
  const text = await response.text();
  expect(text).toBe(stringifyJson(parseJson(text)));
  expect(account!.balance).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  expect(text).toContain(`"balance":${account!.balance}`);
});

/** The interceptor and the controller of the guide in an application. Node runs no decorators, so they are called. */
function writeNest(port: number): string {
  programs.write("exact-integers", "In NestJS, create an interceptor, `exact-integers.ts`:");
  programs.write(
    "accounts-controller",
    "After `app.useGlobalInterceptors(exactIntegers)`, a handler can return the client's output directly:",
  );
  return programs.add(
    "nest",
    `import { Controller, Get, Module, Param } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { AccountsController } from "./accounts-controller.ts";
import { exactIntegers } from "./exact-integers.ts";

const { prototype } = AccountsController;
Controller("accounts")(AccountsController);
Get(":address")(prototype, "get", Object.getOwnPropertyDescriptor(prototype, "get")!);
Param("address")(prototype, "get", 0);
class AppModule {}
Module({ controllers: [AccountsController] })(AppModule);
const app = await NestFactory.create(AppModule);
app.useGlobalInterceptors(exactIntegers);
await app.listen(${port});`,
  );
}
