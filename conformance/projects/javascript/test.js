// Plain JavaScript, all four clients in one program.
import assert from "node:assert/strict";
import { createConsoleClient, InputError } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { check } from "@fieldmesh/mapper-client";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { startSandbox } from "@fieldmesh/sandbox";

const sandbox = await startSandbox();
const devices = createConsoleClient({ baseUrl: sandbox.console.baseUrl, apiKey: sandbox.apiKey });
const ledger = createLedgerClient({ baseUrl: sandbox.ledger.baseUrl });
const mobile = createMobileClient({
  baseUrl: sandbox.mobile.baseUrl,
  apiKey: sandbox.mobile.apiKey,
});

assert.equal((await devices.labels.list()).length, 4);
// A typing mistake, which no compiler sees here, is named before anything is sent.
await assert.rejects(
  devices.labels.create({ nmae: "Pumps" }),
  (error) => error instanceof InputError,
);
assert.throws(() => createConsoleClient({ baseURL: sandbox.console.baseUrl }), /baseUrl/);
assert.ok((await ledger.blocks.height()).height > 0);
assert.notEqual(check({}).length, 0);
assert.ok(Array.isArray(await mobile.events.list({}).toArray({ limit: 5 })));
await sandbox.close();
console.log("ok");
