import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../src/index.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { createThings, errorOf, thing } from "./things.ts";

test.for(["search", "all", "once", "SEARCH"])(
  "rejects %s, which is a word in the path of another endpoint",
  async (name) => {
    const error = await errorOf(createThings().get({ name }));
    expect(error.message).toContain("is a word that the path already uses for another endpoint");
  },
);

test.for(["one", "a b", "ü", "a?b#c", "a;b=c", "..a", "-", "%zz"])(
  "%j stays within its segment and arrives unchanged",
  async (name) => {
    await using server = await startHttp((_, response) => sendJson(response, { data: thing }));
    await createThings({ baseUrl: `${server.baseUrl}/pre` }).get({ name });
    const [request] = server.received;
    const segments = request?.url.split("/") ?? [];
    expect(segments.slice(0, 4)).toEqual(["", "pre", "v1", "things"]);
    expect(segments).toHaveLength(5);
    expect(decodeURIComponent(segments[4] ?? "")).toBe(name);
  },
);

test("any value is rejected before anything is sent or arrives as one segment", async () => {
  await using server = await startHttp((_, response) => sendJson(response, { data: thing }));
  const things = createThings({ baseUrl: server.baseUrl });
  const nasty = fc.string({
    unit: fc.constantFrom(
      ".",
      "/",
      "\\",
      "%",
      "2",
      "e",
      "E",
      "5",
      "f",
      "c",
      "?",
      "#",
      "\r",
      "\n",
      "\0",
      " ",
      "ü",
      "a",
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(nasty, fc.string({ unit: "binary" })), async (name) => {
      const before = server.received.length;
      const outcome = await things.get({ name }).then(
        () => "sent",
        (error: unknown) => (error instanceof InputError ? "refused" : error),
      );
      if (outcome === "refused") return server.received.length === before;
      const segments = server.received.at(-1)?.url.split("/") ?? [];
      return (
        outcome === "sent" &&
        segments.length === 4 &&
        decodeURIComponent(segments[3] ?? "") === name
      );
    }),
    { numRuns: 400 },
  );
});

test("a query value cannot add other parameters", async () => {
  await using server = await startHttp((_, response) => sendJson(response, []));
  const name = "x&limit=1000#/../?a=b\r\nkey: y";
  await createThings({ baseUrl: server.baseUrl }).find({ name });
  const url = new URL(server.received[0]?.url ?? "", server.baseUrl);
  expect([...url.searchParams]).toEqual([["name", name]]);
});
