const { createConsoleClient } = require("@fieldmesh/console-client");

test("a client waits for fake timers", async () => {
  const statuses = [429, 200];
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "any",
    fetch: async () =>
      Response.json([], { status: statuses.shift(), headers: { "retry-after": "20" } }),
  });

  jest.useFakeTimers({ doNotFake: ["performance", "setImmediate"] });
  const labels = client.labels.list();
  await jest.advanceTimersByTimeAsync(60_000);
  jest.useRealTimers();
  expect(await labels).toEqual([]);
});
