import fc from "fast-check";
import { expect, test } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import {
  createVerifier,
  WebhookVerificationError,
  signedRequest,
  standardWebhooks,
  platformScheme,
  sign,
} from "../src/index.ts";
import { createReceiver, memoryStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";

const KEY = "whsec_Y2FuYXJ5LWNhbmFyeS1jYW5hcnk=";
const anyHeader = fc.oneof(
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
  "$name: unsigned headers are rejected with a reason, whatever they contain, and are not shown",
  async (scheme) => {
    const verify = createVerifier({ secret: KEY, scheme, tolerance: Number.POSITIVE_INFINITY });
    const names = ["platform-signature", "webhook-id", "webhook-timestamp", "webhook-signature"];
    const property = fc.asyncProperty(
      fc.record(
        Object.fromEntries(names.map((name) => [name, fc.option(anyHeader, { nil: undefined })])),
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

const NOW = 1_700_000_000;
const TOLERANCE = 300;

type Message = { secret: string; body: string; header: string; now: number };

// Changes body, header, secret or time in every way that fast-check finds, and compares the result with what the change means: a
// message is accepted only if the signed bytes are unchanged and the time is within the tolerance.
test("no change of body, header, secret or time is wrongly accepted or rejected", async () => {
  const property = fc.asyncProperty(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ minLength: 8, maxLength: 40 }).filter(isTaken),
    fc.oneof(
      fc.record({
        of: fc.constantFrom("body" as const, "secret" as const, "header" as const),
        at: fc.nat(),
        by: fc.string({ unit: "binary", maxLength: 3 }),
        cut: fc.nat(3),
      }),
      fc.record({ of: fc.constant("now" as const), by: fc.integer({ min: -1000, max: 1000 }) }),
    ),
    async (body, secret, change) => {
      const { "platform-signature": header = "" } = await sign({ secret, body, timestamp: NOW });
      const original: Message = { secret, body, header, now: NOW };
      const changed = apply(original, change);
      fc.pre(isTaken(changed.secret));
      expect(await isAccepted(changed)).toBe(shouldAccept(original, changed));
    },
  );
  await fc.assert(property, { numRuns: 5_000 });
});

type Change =
  | { of: "now"; by: number }
  | { of: "body" | "secret" | "header"; at: number; by: string; cut: number };

function apply(message: Message, change: Change): Message {
  if (change.of === "now") return { ...message, now: message.now + change.by };
  const text = message[change.of];
  const at = change.at % (text.length + 1);
  return { ...message, [change.of]: text.slice(0, at) + change.by + text.slice(at + change.cut) };
}

/** A secret that is short, blank, in quotes, a placeholder, or ends in a line break is rejected before a message arrives. */
function isTaken(secret: string): boolean {
  return (
    secret.length >= 8 &&
    secret.trim() !== "" &&
    !/^(["']).*\1$|[\r\n]$|^<.*>$|^\$?\{.*\}$|^%\w+%$|\.\.\.$/.test(secret)
  );
}

async function isAccepted({ secret, body, header, now }: Message): Promise<boolean> {
  const verify = createVerifier({ secret, tolerance: TOLERANCE, now: () => now * 1000 });
  return verify({ body, headers: { "platform-signature": header } }).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ name: "WebhookVerificationError" });
      return false;
    },
  );
}

/** Decides independently of the verifier whether it should accept the changed message. */
function shouldAccept(original: Message, changed: Message): boolean {
  const encode = (text: string): string => Buffer.from(text).toString("hex");
  if (encode(original.body) !== encode(changed.body)) return false;
  if (!sameKey(original.secret, changed.secret)) return false;
  if (Math.abs(changed.now - NOW) > TOLERANCE) return false;
  // Blanks around an item occur (observed).
  const items = changed.header.split(",").map((item) => item.trim());
  const times = items.filter((item) => item.startsWith("t="));
  const [signature] = original.header.split(",").slice(1);
  return (
    times.length === 1 &&
    times[0] === `t=${NOW}` &&
    items.includes(signature ?? "") &&
    items.every((item) => item.includes("="))
  );
}

/** HMAC pads a key with zeros, so a key with zeros after it is the same key. */
function sameKey(a: string, b: string): boolean {
  const bare = (text: string): string =>
    Buffer.from(text)
      .toString("hex")
      .replace(/(00)+$/, "");
  return bare(a) === bare(b);
}
