import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createVerifier, platformScheme, sign, standardWebhooks } from "../src/index.js";
import { explain, type ExplainOptions } from "../src/explain/index.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"id":"evt_1","name":"Zoë","url":"a/b","n":12345678901234567890}';

async function causeOf(
  signed: Partial<Parameters<typeof sign>[0]>,
  options: Partial<ExplainOptions>,
  received: string | Uint8Array = body,
): Promise<[string, boolean] | "verified"> {
  const headers = await sign({ secret, body, ...signed });
  const explanation = await explain({ secret, ...options }, { body: received, headers });
  if (explanation.isVerified) return "verified";
  const right = Object.values(headers).join();
  expect(inspect(explanation, { depth: 9 })).not.toContain(/v1[=,](\S+)/.exec(right)?.[1]);
  expect(inspect(explanation, { depth: 9 })).not.toMatch(/MfKQ|evt_1/);
  return [explanation.causes[0]?.cause ?? "", explanation.causes[0]?.isProved ?? false];
}

describe("explain names the likely cause:", () => {
  test("nothing, where the message is verified", async () => {
    expect(await causeOf({}, {})).toBe("verified");
  });

  const python = '{"id": "evt_1", "name": "Zo\\u00eb", "url": "a/b", "n": 12345678901234567890}';
  const php = body.replace("ë", "\\u00eb").replace("/", "\\/");
  const lines = '{\n  "id": "evt_1"\n}';
  test.each([
    ["reserialized_json", python],
    ["reserialized_json", php],
    ["reserialized_json", lines, '{"id":"evt_1"}'],
    ["trailing_newline", `${body}\n`],
    ["trailing_newline", body, `${body}\r\n`],
    ["byte_order_mark", `\uFEFF${body}`],
  ])("%s", async (cause, sent, received = body) => {
    expect(await causeOf({ body: sent }, {}, received)).toEqual([cause, true]);
    expect(await causeOf({ body: sent }, {}, new TextEncoder().encode(received))).toEqual([
      cause,
      true,
    ]);
  });

  test("blanks round the secret", async () => {
    expect(await causeOf({}, { secret: ` ${secret}\n` })).toEqual(["blanks_around_secret", true]);
    expect(await causeOf({ secret: "another" }, { secret: `${secret}\n` })).toEqual([
      "blanks_around_secret",
      false,
    ]);
  });

  test("clock skew, in seconds", async () => {
    const headers = await sign({ secret, body, timestamp: 1000 });
    const explanation = await explain({ secret, now: () => 1_400_000 }, { body, headers });
    expect(explanation).toMatchObject({
      reason: "timestamp_too_old",
      causes: [{ cause: "clock_skew", message: expect.stringContaining("400 s ago") }],
    });
  });

  test("another secret that is known", async () => {
    expect(
      await causeOf({ secret: "whsec_live" }, { otherSecrets: ["whsec_x", "whsec_live"] }),
    ).toEqual(["other_secret", true]);
  });

  test("the other preset, or the other preset's form of the secret", async () => {
    expect(await causeOf({ scheme: standardWebhooks }, {})).toEqual(["other_scheme", true]);
    expect(await causeOf({}, { scheme: standardWebhooks })).toEqual(["other_scheme", true]);
    const mixed = { ...platformScheme, toKey: standardWebhooks.toKey };
    expect(await causeOf({ scheme: mixed }, {})).toEqual(["other_scheme", true]);
  });

  test("none of these", async () => {
    expect(await causeOf({ secret: "another" }, {})).toEqual(["unknown", false]);
    expect(await explain({ secret }, { body, headers: {} })).toMatchObject({
      reason: "header_missing",
      causes: [{ cause: "unknown" }],
    });
  });
});

test("a signing secret shows in no error and no verifier", async () => {
  const verify = createVerifier({ secret });
  const error: unknown = await verify({
    body,
    headers: { "platform-signature": "t=1,v1=00" },
  }).catch((each: unknown) => each);
  const printed = `${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}${String((error as Error).stack)}${inspect(verify, { depth: 9, showHidden: true })}`;
  expect(printed).not.toMatch(/MfKQ|evt_1/);
});
