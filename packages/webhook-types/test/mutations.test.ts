import fc from "fast-check";
import { expect, test } from "vitest";
import { createVerifier, sign } from "../src/index.ts";

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
  const items = changed.header.split(",");
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
