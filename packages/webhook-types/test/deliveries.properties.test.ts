import fc from "fast-check";
import { expect, test } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import {
  createVerifier,
  WebhookVerificationError,
  sign,
  signedRequest,
  standardWebhooks,
  platformScheme,
} from "../src/index.ts";
import { createReceiver, memoryStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";

const KEY = "whsec_Y2FuYXJ5LWNhbmFyeS1jYW5hcnk=";
const header = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "t=1800000000",
        "t=",
        "v1=",
        "v1,",
        `v1=${"0".repeat(64)}`,
        "v0=aa",
        ",",
        "=",
        " ",
      ),
      { maxLength: 8 },
    )
    .map((items) => items.join(",")),
);

test.each([platformScheme, standardWebhooks])(
  "$name: a signed body is verified byte for byte, also with any number of other secrets",
  async (scheme) => {
    const property = fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 0, max: 999_999_999_999 }),
      fc.array(fc.base64String({ minLength: 16, maxLength: 40 }), { maxLength: 3 }),
      async (body, timestamp, others) => {
        fc.pre(others.every((other) => other !== KEY));
        const headers = await sign({ secret: KEY, body, scheme, timestamp });
        const verify = createVerifier({
          secrets: [...others, KEY],
          scheme,
          now: () => timestamp * 1000,
        });
        expect(await verify({ body, headers })).toMatchObject({
          body,
          timestamp,
          secretIndex: others.length,
        });
      },
    );
    await fc.assert(property, { numRuns: 200 });
  },
);

test.each([platformScheme, standardWebhooks])(
  "$name: unsigned headers are rejected with a reason, whatever they contain, and are not shown",
  async (scheme) => {
    const verify = createVerifier({ secret: KEY, scheme, tolerance: Number.POSITIVE_INFINITY });
    const names = ["platform-signature", "webhook-id", "webhook-timestamp", "webhook-signature"];
    const property = fc.asyncProperty(
      fc.record(
        Object.fromEntries(names.map((name) => [name, fc.option(header, { nil: undefined })])),
      ),
      async (headers) => {
        const error: unknown = await verify({ body: "{}", headers }).then(
          () => expect.unreachable("verified"),
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(WebhookVerificationError);
        for (const value of Object.values(headers))
          if (value !== undefined && value.trim().length > 8)
            expect(String((error as Error).stack)).not.toContain(value.trim());
      },
    );
    await fc.assert(property, { numRuns: 400 });
  },
);

/** What may happen between two deliveries. */
const step = fc.oneof(
  fc.record({ event: fc.nat(3), at: fc.constantFrom("now" as const, "together" as const) }),
  fc.record({ passes: fc.integer({ min: 1, max: 120_000 }) }),
);

test("every event's handler succeeds at most once, and exactly once if a delivery received a 200", async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 25 }),
    fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
    async (steps, failuresOf) => {
      const clock = createVirtualClock();
      const started = new Map<string, number>();
      const done: string[] = [];
      const receive = createReceiver({
        secret: KEY,
        clock,
        store: memoryStore({ clock }),
        onError: () => {},
        onOutcome: () => {},
        handlers: {
          "sim.activated": async ({ id }) => {
            const attempt = (started.get(id) ?? 0) + 1;
            started.set(id, attempt);
            await Promise.resolve();
            if (attempt <= (failuresOf[Number(id.at(-1))] ?? 0)) throw new Error("not yet");
            done.push(id);
          },
        },
      });
      const deliver = async (event: number): Promise<[string, number]> => {
        const id = `evt_${event}`;
        const body = sampleEvent("sim.activated", { id });
        const timestamp = Math.floor(clock.now() / 1000);
        const url = "http://127.0.0.1/";
        const { status } = await receive(
          await signedRequest(body, { url, secret: KEY, timestamp }),
        );
        return [id, status];
      };
      const answers: [string, number][] = [];
      for (const each of steps) {
        if ("passes" in each) await clock.advance(each.passes);
        else if (each.at === "now") answers.push(await deliver(each.event));
        else answers.push(...(await Promise.all([deliver(each.event), deliver(each.event)])));
      }
      expect(new Set(done).size).toBe(done.length);
      const accepted = new Set(answers.filter(([, status]) => status === 200).map(([id]) => id));
      expect([...accepted].toSorted()).toEqual(done.toSorted());
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
