import * as fc from "fast-check";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { stringifyJson } from "@fieldmesh/core";
import { canaries, everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";
import { explain } from "../src/explain/index.ts";
import { createVerifier, eventTypes, sign, type EventType } from "../src/index.ts";
import { createEventParser, parseEvent, redactEvent } from "../src/parse/index.ts";
import { createReceiver, memoryStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples/index.ts";

const { token, webhookSecret: secret } = canaries;
/** The error of a handler may quote the payload. Only onError receives it. */
const QUOTE = "quoted-by-a-handler";
const url = "https://hooks.test/";
const type = fc.constantFrom(...eventTypes);
/** Any JSON, with a marked value somewhere in it. */
const marked = fc
  .tuple(fc.jsonValue(), fc.constantFrom("value", "name", "list", "text", "deep"))
  .map(([json, place]) => {
    if (place === "value") return { json, note: token };
    if (place === "name") return { [token]: json };
    if (place === "list") return [json, token, [token]];
    return place === "text"
      ? `${JSON.stringify(json)} ${token}`
      : { a: { b: [{ json, c: token }] } };
  });

function wireOf(of: EventType): Record<string, unknown> {
  return JSON.parse(stringifyJson(sampleEvent(of), { reveal: true })) as Record<string, unknown>;
}

/** Returns the event with a value in place of each of its fields, except the id and the type, which a log may contain. */
function filled(value: unknown, key: string, of: unknown): unknown {
  if (key === "id" || key === "type") return value;
  if (Array.isArray(value)) return value.map((each) => filled(each, "", of));
  if (typeof value !== "object" || value === null) return of;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, filled(each, name, of)]),
  );
}

function expectNone(...values: readonly unknown[]): void {
  for (const value of values) {
    expect(findCanary(everythingPrinted(value))).toBeUndefined();
    expect(findCanary(inspect(value, { depth: 20 }))).toBeUndefined();
  }
}

test("a redacted event shows only the fields that its type declares", () => {
  fc.assert(
    fc.property(type, marked, (of, more) => {
      const wire = wireOf(of);
      const data = wire["data"] as { object: object };
      const event = parseEvent(
        {
          ...wire,
          extra: more,
          data: { ...data, extra: more, object: { ...data.object, extra: more } },
        },
        { validation: "off" },
      );
      expectNone(redactEvent(event));
    }),
  );
});

test("an error about a delivery shows no part of its headers, its body and the secret", async () => {
  await fc.assert(
    fc.asyncProperty(type, marked, fc.string(), fc.boolean(), async (of, more, text, isSigned) => {
      const body = `${JSON.stringify(isSigned ? { ...wireOf(of), data: more } : more)}${isSigned ? "" : text}`;
      const headers = isSigned
        ? await sign({ secret, body })
        : { "platform-signature": `${text}t=${token},v1=${token}` };
      const message = { body, headers };
      const seen: unknown[] = [];
      const failure: unknown = await createVerifier({ secret })(message).then(
        () => undefined,
        (error: unknown) => error,
      );
      seen.push(failure, await explain({ secret, otherSecrets: [`${secret}x`] }, message));
      for (const validation of ["strict", "warn"] as const)
        try {
          createEventParser({}, { validation, onDrift: (drift) => seen.push(drift) })(body);
        } catch (error) {
          seen.push(error);
        }
      expectNone(...seen);
    }),
  );
});

test.each(eventTypes)(
  "no outcome, report or error about %s contains one of its values, whatever fails",
  async (of) => {
    const seen: unknown[] = [];
    const see = (...args: unknown[]): void => void seen.push(args);
    for (const validation of ["strict", "off"] as const) {
      const fail = (): never => {
        throw new Error(QUOTE);
      };
      const receive = createReceiver({
        secret,
        validation,
        store: memoryStore(),
        onDrift: see,
        onOutcome: see,
        onError: (_, report) => see(report),
        logger: { debug: see, warn: see, error: see },
        handlers: { [of]: fail, otherwise: fail },
      });
      for (const value of [token, [token], { [token]: token }]) {
        const body = JSON.stringify(filled(wireOf(of), "", value));
        for (const headers of [
          await sign({ secret, body }),
          { "platform-signature": `t=1,v1=${token}` },
          {},
        ]) {
          const response = await receive(
            new Request(url, { method: "POST", body, headers: headers as Record<string, string> }),
          );
          see(response.status, [...response.headers], await response.text());
        }
      }
    }
    expect(seen.length).toBeGreaterThan(12);
    expectNone(seen);
    expect(everythingPrinted(seen)).not.toContain(QUOTE);
  },
);
