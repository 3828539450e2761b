import { expect, test } from "vitest";
import { startHttp } from "../../../tools/testing/http-server.ts";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { runHere } from "./user.ts";

// The exit code says what happened, whether or not the body of the error can be read.

const BODIES = {
  "that is not the gzip it says": { headers: { "content-encoding": "gzip" }, ends: "now" },
  "that breaks off": { headers: { "content-length": "900" }, ends: "early" },
  "that never ends": { headers: {}, ends: "never" },
} as const;

const LIST = "console labels list";
const CREATE = "console labels create --name Pumps";
const EACH = "devices export --out -";

test.each(
  (
    [
      [LIST, 403, 1],
      [CREATE, 422, 1],
      [CREATE, 500, 3],
      [EACH, 403, 1],
      ["ledger accounts list", 404, 1],
    ] as const
  ).flatMap((row) => Object.entries(BODIES).map(([kind, body]) => [...row, kind, body] as const)),
)("%s after a %i has the exit code %i, with a body %s", async (line, status, code, _, body) => {
  await using server = await startHttp((_request, response) => {
    response.writeHead(status, { "content-type": "text/html", ...body.headers });
    response.write("<html>");
    if (body.ends === "now") response.end();
    if (body.ends === "early") setTimeout(() => response.destroy(), 15);
  });
  const { baseUrl } = server;
  const env = { CONSOLE_URL: baseUrl, CONSOLE_KEY: canaries.apiKey, LEDGER_URL: baseUrl };
  const ended = await runHere(line.split(" "), env);
  expect([ended.code, server.received.length]).toEqual([code, 1]);
  expect(ended.stderr).toContain(`failed with ${status}`);
  expect(ended.stderr).toContain("its body could not be read");
});
