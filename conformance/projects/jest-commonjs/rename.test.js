const { startSandbox } = require("@fieldmesh/sandbox");
const { createReceiver, memoryStore } = require("@fieldmesh/webhook-types/receiver");
const { sampleEvent } = require("@fieldmesh/webhook-types/samples");
const { sign } = require("@fieldmesh/webhook-types");
const { createLedgerClient } = require("@fieldmesh/ledger-client");
const { createConsoleClient, isApiError } = require("@fieldmesh/console-client");

/** Creates a label unless there is one of the name. */
async function provideLabel(options, name) {
  const client = createConsoleClient(options);
  try {
    return await client.labels.create({ name });
  } catch (error) {
    if (!isApiError(error, 422)) throw error;
    return client.labels.find({ name });
  }
}

let sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test("a label is created once", async () => {
  const options = { baseUrl: sandbox.console.baseUrl, apiKey: sandbox.apiKey };
  const label = await provideLabel(options, "Pumps");
  expect(await provideLabel(options, "Pumps")).toEqual(label);
});

test("an amount is a bigint", async () => {
  const client = createLedgerClient({ baseUrl: sandbox.ledger.baseUrl });
  const address = sandbox.ledger.state.chain.addresses.of(7);
  expect(typeof (await client.accounts.get({ address })).balance).toBe("bigint");
});

test("a delivery is handled", async () => {
  const types = [];
  const receive = createReceiver({
    secret: "whsec_of_a_consumer",
    store: memoryStore(),
    handlers: { "*": ({ type }) => types.push(type) },
  });
  const body = JSON.stringify(sampleEvent("sim.activated"));
  const headers = await sign({ secret: "whsec_of_a_consumer", body });
  const request = new Request("http://receiver.test/", { method: "POST", body, headers });
  expect((await receive(request)).status).toBe(200);
  expect(types).toEqual(["sim.activated"]);
});
