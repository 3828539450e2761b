import { inspect } from "node:util";
import { expect, test } from "vitest";
import { stringifyJson } from "@fieldmesh/core";
import { canaries, everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";
import { eventTypes, sign, type EventType } from "../src/index.ts";
import { createReceiver, memoryStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";

const { token, webhookSecret: secret } = canaries;
/** The error of a handler may quote the payload. Only onError receives it. */
const QUOTE = "quoted-by-a-handler";
const url = "https://hooks.test/";

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
