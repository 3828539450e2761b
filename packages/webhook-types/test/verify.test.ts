import { createHmac } from "node:crypto";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Secret } from "@fieldmesh/core";
import {
  createVerifier,
  platformScheme,
  sign,
  signedRequest,
  standardWebhooks,
  type WebhookVerificationError,
  type Scheme,
  type VerifierOptions,
} from "../src/index.ts";
import { parseEvent } from "../src/parse/index.ts";
import { sampleEvent } from "../src/samples.ts";
import * as node from "../src/verify/mac-node.ts";
import * as web from "../src/verify/mac-web.ts";
import { allVectors, outcomesOf } from "./vectors.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"id":"evt_1"}';

/** The verifier with each implementation of HMAC. */
const paths = {
  "node:crypto": createVerifier,
  WebCrypto: await withWebCrypto(),
};

async function withWebCrypto(): Promise<typeof createVerifier> {
  vi.doMock("#mac", () => web);
  vi.resetModules();
  const module = await import("../src/verify/create-verifier.ts");
  vi.doUnmock("#mac");
  return module.createVerifier;
}

describe.each(Object.entries(paths))("by %s", (_name, create) => {
  test.each(allVectors)("$name", async (vector) => {
    for (const outcome of await outcomesOf(vector, create)) expect(outcome).toEqual(vector.expect);
  });
});

test("node:crypto and WebCrypto create the same signature", async () => {
  for (const encoding of ["hex", "base64"] as const) {
    for (const key of ["k", "whsec_ü😀", new Uint8Array([0, 255, 7])]) {
      for (const text of ["", "ü😀", "x".repeat(5000)]) {
        const expected = await node.createMac(key, encoding).sign("1.", text);
        expect(await web.createMac(key, encoding).sign("1.", text)).toBe(expected);
        expect(await web.createMac(key, encoding).sign("1.", Buffer.from(text))).toBe(expected);
      }
    }
  }
});

describe.each(Object.entries(paths))("the header of the platform, by %s", (_name, create) => {
  const junk = "0".repeat(64);
  const at = async (timestamp: number) =>
    (await sign({ secret, body, timestamp }))["platform-signature"]?.split("v1=")[1] ?? "";
  const outcome = (value: string) =>
    create({ secret, now: () => 2_000_000_000 })({
      body,
      headers: { "platform-signature": value },
    }).then(
      ({ timestamp }) => timestamp,
      ({ reason }: WebhookVerificationError) => reason,
    );

  test.each<[string, (now: string, old: string) => string, number | string]>([
    ["blanks and tabs", (now) => `\tt=2000000 \t,\t v1=${junk} , v1=${now} `, 2_000_000],
    ["another signature first", (now) => `t=2000000,v1=${junk}, t=2000000,v1=${now}`, 2_000_000],
    ["another time first", (now) => `t=1999990,v1=${junk},t=2000000,v1=${now}`, 2_000_000],
    ["another time second", (now) => `t=2000000,v1=${now}, t=1999990,v1=${junk}`, 2_000_000],
    ["an old signature first", (now, old) => `t=1000000,v1=${old},t=2000000,v1=${now}`, 2_000_000],
    ["a newer time", (_, old) => `t=2000000,v1=${junk},t=1000000,v1=${old}`, "timestamp_too_old"],
    ["swapped", (now, old) => `t=1000000,v1=${now},t=2000000,v1=${old}`, "signature_mismatch"],
    ["another version", (now) => `t=2000000,v0=${now},v1=${junk}`, "signature_mismatch"],
    [
      "a fifth of two times",
      (now) => `t=2000000${",v1=1".repeat(4)},v1=${now},t=1,v1=1`,
      "signature_mismatch",
    ],
  ])("with %s", async (_case, header, expected) => {
    expect(await outcome(header(await at(2_000_000), await at(1_000_000)))).toBe(expected);
  });

  const malformed = [
    "|v1=S|t=2000000|t=,v1=S|t=NaN,v1=S|t=-1,v1=S|t=1e9,v1=S|t=2000000.0,v1=S|t=2000000999999,v1=S",
    "t=2000000,S|t=2000000;v1=S|t=2000000,V1=S|t=2000000,v0=S|t=2000000,v10=S|t= 2000000,v1=S",
    "t=2000000,,v1=S|t=1,t=2000000,v1=S|t=2000000,v1=S,t=x,v1=1",
    "v1=S,t=2000000,v1=S,t=1,v1=1|t=2000000,v1=S,t=1,v1=1,t=2,v1=2",
  ].flatMap((line) => line.split("|"));
  test.each(malformed)("is malformed: %j", async (header) => {
    expect(await outcome(header.replaceAll("S", await at(2_000_000)))).toBe("header_malformed");
  });
});

test.each([[undefined], [null], [12], [{}]])(
  "a header that is not a string, but %s, counts as missing",
  async (value) => {
    const headers = { "platform-signature": value as never };
    await expect(createVerifier({ secret })({ body, headers })).rejects.toMatchObject({
      reason: "header_missing",
    });
  },
);

describe("a body that is not raw", () => {
  test.each([[{ id: "evt_1" }], [null], [undefined], [12], [[1]], [Promise.resolve(body)]])(
    "is rejected with a TypeError: %s",
    async (parsed) => {
      const verifying = createVerifier({ secret })({ body: parsed as never, headers: {} });
      await expect(verifying).rejects.toThrow(TypeError);
      await expect(verifying).rejects.toThrow("Pass the raw body");
    },
  );
});

test("bytes of another realm are accepted, also by parseEvent", async () => {
  const json = JSON.stringify(sampleEvent("sim.activated"));
  const foreign = runInNewContext("Uint8Array.from(codes)", {
    codes: Buffer.from(json),
  }) as Uint8Array;
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  const headers = await sign({ secret, body: foreign });
  const verified = await createVerifier({ secret })({ body: foreign, headers });
  for (const raw of [foreign, verified.body, Buffer.from(json)])
    expect(parseEvent(raw)).toMatchObject({ type: "sim.activated" });
});

describe("options", () => {
  test.each<[string, VerifierOptions]>([
    ["no secret", {}],
    ["no secrets", { secrets: [] }],
    ["an empty secret", { secret: "" }],
    ["secret and secrets", { secret, secrets: [secret] }],
    ["a negative tolerance", { secret, tolerance: -1 }],
    ["a tolerance that is not a number", { secret, tolerance: Number.NaN }],
    ["no key, for Standard Webhooks", { secret: "whsec_", scheme: standardWebhooks }],
    [
      "whsec_ inside a secret, for Standard Webhooks",
      { secret: "MfKQwhsec_MfKQ", scheme: standardWebhooks },
    ],
  ])("reject %s, and never show a secret", (_name, options) => {
    let thrown: unknown;
    try {
      createVerifier(options);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TypeError);
    expect(String(thrown)).not.toMatch(/hunter2|MfKQ/);
  });

  test("accept a Secret, and a clock", async () => {
    const headers = await sign({ secret: new Secret(secret), body, timestamp: 1000 });
    const verify = createVerifier({
      secret: new Secret(secret),
      now: () => 1_000_000,
      tolerance: 0,
    });
    expect(await verify({ body, headers })).toEqual({
      body,
      secretIndex: 0,
      timestamp: 1000,
      id: undefined,
    });
  });

  test("count whole seconds: an age of 300.999 s is within 300 s, and one of 301 s is not", async () => {
    const headers = await sign({ secret, body, timestamp: 1000 });
    const at = (now: number) => createVerifier({ secret, now: () => now })({ body, headers });
    await at(1_300_999);
    await expect(at(1_301_000)).rejects.toThrow("timestamp_too_old");
    await at(700_000);
    await expect(at(699_999)).rejects.toThrow("timestamp_too_new");
  });

  test("verify stored messages of any age with an infinite tolerance", async () => {
    const headers = await sign({ secret, body, timestamp: 1 });
    const verify = createVerifier({ secret, tolerance: Number.POSITIVE_INFINITY });
    expect(await verify({ body, headers })).toMatchObject({ timestamp: 1 });
  });
});

describe("schemes", () => {
  test.each([platformScheme, standardWebhooks])(
    "read the headers that they write: $name",
    async (scheme) => {
      const headers = await sign({ secret, body, scheme, timestamp: 1000, id: "msg_1" });
      const verified = await createVerifier({ secret, scheme, now: () => 1_000_000 })({
        body,
        headers,
      });
      expect(verified.timestamp).toBe(1000);
      expect(verified.id).toBe(scheme === standardWebhooks ? "msg_1" : undefined);
    },
  );

  test("can be defined by the user, also without a timestamp", async () => {
    const gitForge: Scheme = {
      name: "git-forge",
      encoding: "hex",
      toKey: (text) => text,
      read: (header) => {
        const value = header("x-hub-signature-256");
        if (value === undefined) return "header_missing";
        return { prefix: "", signatures: [value.replace("sha256=", "")], timestamp: undefined };
      },
      write: () => ({
        prefix: "",
        headers: (signature) => ({ "X-Hub-Signature-256": `sha256=${signature}` }),
      }),
    };
    const headers = await sign({ secret, body, scheme: gitForge });
    const expected = createHmac("sha256", secret).update(body).digest("hex");
    expect(headers["X-Hub-Signature-256"]).toBe(`sha256=${expected}`);
    expect(await createVerifier({ secret, scheme: gitForge })({ body, headers })).toMatchObject({
      timestamp: undefined,
    });
  });
});

test("signedRequest creates a request that can be verified, with secrets only in its body", async () => {
  const event = { id: "evt_1", data: { object: { code: new Secret("493817") } } };
  const request = await signedRequest(event, { url: "http://127.0.0.1/hooks", secret });
  const { headers } = request;
  const text = await request.text();
  expect(text).toBe('{"id":"evt_1","data":{"object":{"code":"493817"}}}');
  expect(headers.get("content-type")).toBe("application/json");
  await createVerifier({ secret })({ body: text, headers });
});

test.each([
  ["text", body],
  ["bytes", new TextEncoder().encode(body)],
  ["an ArrayBuffer", new TextEncoder().encode(body).buffer],
])("signedRequest sends a raw body unchanged: %s", async (_name, raw) => {
  const request = await signedRequest(raw, { url: "http://127.0.0.1/", secret });
  const received = await request.arrayBuffer();
  expect(new TextDecoder().decode(received)).toBe(body);
  await createVerifier({ secret })({ body: received, headers: request.headers });
});

test("a WebCrypto key is not extractable", async () => {
  const importKey = vi.spyOn(crypto.subtle, "importKey");
  try {
    await web.createMac(secret, "hex").sign("1.", body);
    const key = await (importKey.mock.results[0]?.value as ReturnType<
      typeof crypto.subtle.importKey
    >);
    expect(key.extractable).toBe(false);
  } finally {
    importKey.mockRestore();
  }
});

describe("a secret of Standard Webhooks", () => {
  const scheme = standardWebhooks;

  test.each([
    ["with two characters of padding", "MfKQ9r8GKQ=="],
    ["with every kind of character", "ABYZabyz0189+/+/"],
  ])("is decoded as base64: %s", async (_name, base64) => {
    for (const text of [base64, `whsec_${base64}`]) {
      const headers = await sign({ secret: text, body, scheme, id: "msg_1", timestamp: 1000 });
      const expected = createHmac("sha256", Buffer.from(base64, "base64"))
        .update(`msg_1.1000.${body}`)
        .digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
    }
  });

  test.each([
    "whsec_",
    "whsec_MfKQ9r8GKY",
    "whsec_MfKQ9r8G=",
    "whsec_MfKQ9r8GKY=",
    " MfKQ9r8GKYqr",
    "whsec_MfKQ9r8GKYq_",
    "!MfKQ9r8GKYqr",
  ])("is rejected in any other form: %o", async (text) => {
    const says = "A signing secret of Standard Webhooks is base64, usually after whsec_";
    await expect(sign({ secret: text, body, scheme })).rejects.toThrow(says);
  });
});

test.for<[string, Parameters<typeof createVerifier>[0], Record<string, string>, string[]]>([
  ["the missing header", { secret }, {}, ["platform-signature"]],
  ["the malformed header", { secret }, { "platform-signature": "t=1" }, ["platform-signature"]],
  [
    "all headers of the scheme",
    { secret, scheme: standardWebhooks },
    { "webhook-id": "canary" },
    ["webhook-id", "webhook-timestamp", "webhook-signature"],
  ],
])("an error names %s, without a value", async ([, options, headers, names]) => {
  const error: unknown = await createVerifier(options)({ body, headers }).catch(
    (each: unknown) => each,
  );
  expect(error).toMatchObject({ headers: names });
  for (const name of names) expect(String(error)).toContain(name);
  expect(inspect(error)).not.toContain("canary");
});

describe("a secret that a function returns", () => {
  const next = "whsec_next";
  const message = async (by = secret) => ({ body, headers: await sign({ secret: by, body }) });
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const now = () => Date.now();
  const after = (milliseconds: number) => void vi.advanceTimersByTime(milliseconds);

  test("is read before the first message, once for all messages that arrive together", async () => {
    const ask = vi.fn(async () => new Secret(secret));
    const verify = createVerifier({ secret: ask, now });
    expect(ask).not.toHaveBeenCalled();
    await Promise.all([verify(await message()), verify(await message())]);
    await verify(await message());
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("changes without a restart, and messages in progress share the new one", async () => {
    const ask = vi.fn().mockResolvedValueOnce(secret).mockResolvedValue([next, secret]);
    const verify = createVerifier({ secret: ask, now });
    expect(await verify(await message())).toMatchObject({ secretIndex: 0 });
    after(10_001);
    const both = await Promise.all([verify(await message(next)), verify(await message(next))]);
    expect(both.map(({ secretIndex }) => secretIndex)).toEqual([0, 0]);
    expect(await verify(await message())).toMatchObject({ secretIndex: 1 });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("is read at most every ten seconds, whatever is sent", async () => {
    const ask = vi.fn(() => secret);
    const verify = createVerifier({ secret: ask, now });
    const wrong = await message("whsec_other");
    for (let sent = 0; sent < 20; sent++)
      await expect(verify(wrong)).rejects.toThrow("signature_mismatch");
    expect(ask).toHaveBeenCalledTimes(1);
    after(10_001);
    for (let sent = 0; sent < 20; sent++)
      await expect(verify(wrong)).rejects.toThrow("signature_mismatch");
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("is read again by the clock of the caller, which blocks nothing when it is set back", async () => {
    const ask = vi.fn(() => secret);
    let time = Date.now();
    const verify = createVerifier({ secret: ask, now: () => time });
    const wrong = await message("whsec_other");
    for (const [jump, times] of [
      [0, 1],
      [9_999, 1],
      [1, 2],
      [-3_600_000, 3],
      [9_999, 3],
      [1, 4],
    ] as const) {
      time += jump;
      await expect(verify(wrong)).rejects.toThrow("signature_mismatch");
      expect(ask).toHaveBeenCalledTimes(times);
    }
  });

  test("is not read again because of a message that is old or without its header", async () => {
    const ask = vi.fn(() => secret);
    const verify = createVerifier({ secret: ask, now });
    await verify(await message());
    after(10_001);
    const headers = await sign({ secret, body, timestamp: 1000 });
    await expect(verify({ body, headers })).rejects.toThrow("timestamp_too_old");
    await expect(verify({ body, headers: {} })).rejects.toThrow("header_missing");
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("that arrives while a message is tried with the old secrets is tried too", async () => {
    // Each secret requires one turn of the event loop, so the first message is done when the second one is halfway.
    const old = Array.from({ length: 50 }, (_, index) => `whsec_old_${index}`);
    const ask = vi.fn().mockResolvedValueOnce(old).mockResolvedValue(next);
    const verify = createVerifier({ secret: ask, now });
    await verify(await message("whsec_old_0"));
    after(10_001);
    const one = await message(next);
    const first = verify(one);
    for (let turn = 0; turn < 25; turn++) await Promise.resolve();
    const both = await Promise.all([first, verify(one)]);
    expect(both.map(({ secretIndex }) => secretIndex)).toEqual([0, 0]);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("is kept if the function fails later, and is read again if it failed the first time", async () => {
    const sealed = new Error("vault is sealed");
    const ask = vi
      .fn()
      .mockRejectedValueOnce(sealed)
      .mockResolvedValueOnce(secret)
      .mockRejectedValue(sealed);
    const verify = createVerifier({ secret: ask, now });
    await expect(verify(await message())).rejects.toBe(sealed);
    after(9_999);
    await expect(verify(await message())).rejects.toBe(sealed);
    expect(ask).toHaveBeenCalledTimes(1);
    after(1);
    await verify(await message());
    after(10_001);
    await expect(verify(await message("whsec_other"))).rejects.toMatchObject({
      reason: "signature_mismatch",
      message: expect.stringContaining("function that returns the secret") as string,
      headers: [],
      cause: sealed,
    });
    // The function was not called, so the error does not mention it.
    await expect(verify(await message("whsec_other"))).rejects.toThrow("Check the secret");
    await verify(await message());
    expect(ask).toHaveBeenCalledTimes(3);
  });

  test("is validated like any other, and never shown", async () => {
    const verify = createVerifier({ secret: () => "whsec_canary\n" });
    const error: unknown = await verify(await message()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).toContain("ends in a line break");
    expect(inspect(error)).not.toContain("canary");
    expect(() => createVerifier({ secret: () => secret, tolerance: -1 })).toThrow("tolerance");
    expect(() => createVerifier({ secret: () => secret, secrets: [secret] })).toThrow("not both");
  });
});
