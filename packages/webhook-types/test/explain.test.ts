import { inspect } from "node:util";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { platformScheme, type Scheme, sign, standardWebhooks } from "../src/index.ts";
import { explain, type ExplainOptions, type LikelyCause } from "../src/explain/explain.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"id":"evt_1","name":"Zoë","url":"a/b","n":12345678901234567890}';

/** Returns all causes, each with whether it is proved. Fails if the explanation contains a secret, a signature or a part of the body. */
async function causesOf(
  signed: Partial<Parameters<typeof sign>[0]>,
  options: Partial<ExplainOptions>,
  received: string | Uint8Array = body,
): Promise<[string, boolean][] | "verified"> {
  const headers = await sign({ secret, body, ...signed });
  const explanation = await explain({ secret, ...options }, { body: received, headers });
  if (explanation.isVerified) return "verified";
  const right = Object.values(headers).join();
  expect(inspect(explanation, { depth: 9 })).not.toContain(/v1[=,](\S+)/.exec(right)?.[1]);
  expect(inspect(explanation, { depth: 9 })).not.toMatch(/MfKQ|evt_1/);
  return explanation.causes.map(({ cause, isProved }) => [cause, isProved]);
}

describe("explain names the likely cause:", () => {
  test("nothing, if the message is verified", async () => {
    expect(await causesOf({}, {})).toBe("verified");
  });

  const compact = '{"id":"evt_1","a":["ë/",1,null]}';
  test.each([
    ["Python's JSON", '{"id": "evt_1", "a": ["\\u00eb/", 1, null]}'],
    ["JSON with spaces", '{"id": "evt_1", "a": ["ë/", 1, null]}'],
    ["PHP's JSON", '{"id":"evt_1","a":["\\u00eb\\/",1,null]}'],
    ["JSON with two spaces a level", JSON.stringify(JSON.parse(compact), null, 2)],
  ])("reserialized_json: %s, serialized again", async (_name, sent) => {
    const proved = [["reserialized_json", true]];
    expect(await causesOf({ body: sent }, {}, compact)).toEqual(proved);
    expect(await causesOf({ body: sent }, {}, new TextEncoder().encode(compact))).toEqual(proved);
    expect(await causesOf({ body: sent }, {}, `\uFEFF${compact}`)).toEqual(proved);
  });

  test("reserialized_json: compact JSON that was serialized with spaces, without rounded integers", async () => {
    const spaced = body.replaceAll(",", ", ");
    expect(await causesOf({}, {}, spaced)).toEqual([["reserialized_json", true]]);
  });

  test.each([
    ["trailing_newline", `${body}\n`, body],
    ["trailing_newline", `${body}\r\n`, body],
    ["trailing_newline", body, `${body}\r\n`],
    ["trailing_newline", `${body}\r\n`, `${body}\n`],
    ["byte_order_mark", `\uFEFF${body}`, body],
    ["byte_order_mark", body, `\uFEFF${body}`],
  ])("%s", async (cause, sent, received) => {
    expect(await causesOf({ body: sent }, {}, received)).toEqual([[cause, true]]);
    const bytes = new TextEncoder().encode(received);
    expect(await causesOf({ body: sent }, {}, bytes)).toEqual([[cause, true]]);
  });

  test("whitespace around the secret", async () => {
    expect(await causesOf({}, { secret: ` ${secret}\n` })).toEqual([
      ["blanks_around_secret", true],
    ]);
    expect(await causesOf({}, { secret: undefined, secrets: ["another ", `${secret} `] })).toEqual([
      ["blanks_around_secret", true],
    ]);
    expect(await causesOf({ secret: "another" }, { secret: `${secret}\n` })).toEqual([
      ["blanks_around_secret", false],
    ]);
  });

  test("another cause that is proved, and not the whitespace, which is not the cause", async () => {
    const options = { secret: `${secret}\n`, otherSecrets: ["whsec_live"] };
    expect(await causesOf({ secret: "whsec_live" }, options)).toEqual([["other_secret", true]]);
  });

  test.each([
    ["timestamp_too_old", 1_400_999, "400 s ago"],
    ["timestamp_too_new", 599_000, "401 s in the future"],
  ])("clock skew, in seconds: %s", async (reason, now, words) => {
    const headers = await sign({ secret, body, timestamp: 1000 });
    expect(await explain({ secret, now: () => now }, { body, headers })).toEqual({
      isVerified: false,
      reason,
      causes: [
        { cause: "clock_skew", message: expect.stringContaining(words) as string, isProved: true },
      ],
    });
  });

  test("another known secret: names it, whatever the timestamp", async () => {
    const headers = await sign({ secret: "whsec_live", body, timestamp: 1000 });
    const otherSecrets = ["whsec_x", "whsec_live"];
    expect(await explain({ secret, otherSecrets }, { body, headers })).toEqual({
      isVerified: false,
      reason: "signature_mismatch",
      causes: [
        {
          cause: "other_secret",
          message: expect.stringContaining("otherSecrets[1] signed") as string,
          isProved: true,
        },
      ],
    });
  });

  test("the other preset", async () => {
    expect(await causesOf({ scheme: standardWebhooks }, {})).toEqual([["other_scheme", true]]);
    expect(await causesOf({}, { scheme: standardWebhooks })).toEqual([["other_scheme", true]]);
  });

  test.each([
    [platformScheme, standardWebhooks, "as base64"],
    [standardWebhooks, platformScheme, "as a string"],
  ])("the other preset's form of the secret: $name", async (scheme, other, words) => {
    const headers = await sign({ secret, body, scheme: { ...scheme, toKey: other.toKey } });
    expect(await explain({ secret, scheme }, { body, headers })).toMatchObject({
      reason: "signature_mismatch",
      causes: [{ cause: "other_scheme", message: expect.stringContaining(words), isProved: true }],
    });
  });

  test("nothing, if none of the causes applies", async () => {
    expect(await causesOf({ secret: "another" }, {})).toEqual([["unknown", false]]);
    expect(await causesOf({ body: "not JSON" }, {}, "no JSON")).toEqual([["unknown", false]]);
  });
});

describe("explain names what a proxy does to a header:", () => {
  const platform = async (change: (time: string, signature: string) => string, own = {}) => {
    const { "platform-signature": value = "" } = await sign({ secret, body });
    const [, time = "", signature = ""] = /t=(.*),v1=(.*)/.exec(value) ?? [];
    const headers = { "platform-signature": change(time, signature) };
    return explain({ secret, ...own }, { body, headers });
  };
  const causes = (cause: string, isProved: boolean) => ({ causes: [{ cause, isProved }] });

  test.each<[string, (time: string, signature: string) => string, string?]>([
    ["blank_in_header", (time, v1) => `t= ${time},v1= ${v1}`],
    ["blank_in_header", (time, v1) => `t=${time},v1=${v1.slice(0, 9)} ${v1.slice(9)}`, "unknown"],
    ["different_times", (time, v1) => `t=1,t=${time},v1=${v1}`],
    ["doubled_header", (time, v1) => `t=1,v1=1, t=${time},v1=${v1}, t=2,v1=1`],
  ])("%s: %#", async (cause, change, otherwise = cause) => {
    expect(await platform(change)).toMatchObject(causes(cause, true));
    const other = await platform(change, { secret: "whsec_another_one" });
    expect(other).toMatchObject(causes(otherwise, false));
  });

  test("Standard Webhooks, and a scheme of the user", async () => {
    const signed = await sign({ secret, body, scheme: standardWebhooks });
    const headers = { ...signed, "webhook-timestamp": `1, ${signed["webhook-timestamp"]}` };
    const options = { secret, scheme: standardWebhooks };
    expect(await explain(options, { body, headers })).toMatchObject(
      causes("different_times", true),
    );
    const scheme: Scheme = {
      ...platformScheme,
      read: (header) => ({ prefix: "", signatures: [header("x") ?? ""], timestamp: undefined }),
      write: () => ({ prefix: "", headers: (signature) => ({ x: signature }) }),
    };
    const { x } = await sign({ secret, body, scheme });
    const twice = { body, headers: { x: [x ?? "", x ?? ""] } };
    expect(await explain({ secret, scheme }, twice)).toMatchObject(causes("doubled_header", true));
  });
});

describe("explain names a compressed body:", () => {
  test.each<[string, Uint8Array | string, string | undefined, boolean]>([
    ["gzip", gzipSync(body), undefined, true],
    ["gzip with its header", gzipSync(body), "gzip", true],
    ["gzip that is cut", gzipSync(body).subarray(0, 20), undefined, false],
    ["deflate", deflateSync(body), "DEFLATE", true],
    ["another encoding", brotliCompressSync(body), "constructor", false],
    ["a body that a parser has decompressed", body.replace("1", "2"), "br", false],
  ])("%s", async (_name, received, encoding, isProved) => {
    const headers = { ...(await sign({ secret, body })), "content-encoding": encoding };
    const message = { body: received, headers };
    const { causes } = (await explain({ secret }, message)) as { causes: readonly LikelyCause[] };
    expect(causes).toMatchObject([{ cause: "compressed_body", isProved }]);
    expect(causes[0]?.message).not.toContain("constructor");
  });
});

test("a megabyte of line breaks is explained in linear time", async () => {
  const headers = await sign({ secret, body: "{}" });
  const { isVerified } = await explain({ secret }, { body: `${"\n".repeat(1_000_000)}x`, headers });
  // In quadratic time, this would last a quarter of an hour.
  expect(isVerified).toBe(false);
});

test("explain finds no cause in lists that are nested too deeply, and does not reject", async () => {
  for (const depth of [2_000, 5_000, 100_000]) {
    const nested = "[".repeat(depth) + "]".repeat(depth);
    expect(await causesOf({}, {}, nested)).toEqual([["unknown", false]]);
  }
});
