import { expect, test } from "vitest";
import { get, tables } from "../testing/things.ts";
import { serve } from "./serve.ts";
import { newDevice, openConsole } from "../testing/console.ts";

const COUNT = 10_001;

test("a long list is written while it is sent, and is the same JSON", async () => {
  let written = 0;
  const list = Array.from({ length: COUNT }, (_, index) => ({
    id: `a${index}`,
    get size() {
      written++;
      return 12345678901234567890n;
    },
  }));
  const handler = serve(tables, { things: { list: () => list } });
  const response = await get(handler, "/v1/things");
  expect(written).toBe(0);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const text = await response.text();
  expect(text.startsWith('[{"id":"a0","size":12345678901234567890},{"id":"a1",')).toBe(true);
  expect(JSON.parse(text)).toHaveLength(COUNT);
});

test("the client reads a long list of the sandbox at once and device by device, with the same result", async () => {
  const { client } = openConsole({ console: { data: "empty" } });
  const devices = Array.from({ length: COUNT }, (_, index) => ({
    ...newDevice(),
    dev_eui: index.toString(16).toUpperCase().padStart(15, "0").padStart(16, "A"),
  }));
  await client.devices.createMany(devices);
  const ids: string[] = [];
  for await (const { id } of client.devices.each()) ids.push(id);
  expect(ids).toHaveLength(COUNT);
  expect(ids).toEqual((await client.devices.list()).map(({ id }) => id));
});
