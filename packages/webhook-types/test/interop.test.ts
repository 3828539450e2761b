import { randomBytes } from "node:crypto";
import { Stripe } from "stripe";
import { expect, test } from "vitest";
import { createVerifier, sign } from "../src/index.ts";

// stripe signs in the same form, under another header. The intended differences are listed at the end.
const stripe = new Stripe("sk_test_nothing");
const COUNT = 10_000;

test(`${COUNT} payloads signed by stripe are verified here, and stripe verifies ours`, async () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const verify = createVerifier({ secret });
  for (let i = 0; i < COUNT; i += 1) {
    const body = randomBody(i);
    const theirs = stripe.webhooks.generateTestHeaderString({ payload: body, secret });
    await verify({ body, headers: { "platform-signature": theirs } });
    const ours = await sign({ secret, body });
    stripe.webhooks.signature?.verifyHeader(body, ours["platform-signature"] ?? "", secret, 300);
  }
});

const secret = "whsec_secret";
const body = '{"id":"evt_1"}';
const now = Math.floor(Date.now() / 1000);
const stripeAccepts = (header: string): boolean => {
  try {
    return stripe.webhooks.signature?.verifyHeader(body, header, secret, 300) ?? false;
  } catch {
    return false;
  }
};
const signature = async (timestamp: number): Promise<string> => {
  const headers = await sign({ secret, body, timestamp });
  return headers["platform-signature"] ?? "";
};

/** Headers that stripe accepts and we reject, each with our reason. This list of intended differences is complete. */
const differences: [why: string, header: string, reason: string][] = [
  [
    "a time in the future is outside the tolerance too",
    await signature(now + 3600),
    "timestamp_too_new",
  ],
  ["a second time makes the header ambiguous", `t=1,${await signature(now)}`, "header_malformed"],
  [
    "an item without a value has no place in the grammar",
    `x,${await signature(now)}`,
    "header_malformed",
  ],
  [
    "letters behind the digits of the time are not dropped",
    (await signature(now)).replace(",", "x,"),
    "header_malformed",
  ],
];

test.each(differences)("differs from stripe: %s", async (_why, header, reason) => {
  expect(stripeAccepts(header)).toBe(true);
  const verifying = createVerifier({ secret })({ body, headers: { "platform-signature": header } });
  await expect(verifying).rejects.toMatchObject({ reason });
});

test("accepts only one thing that stripe rejects: an empty body", async () => {
  const headers = await sign({ secret, body: "" });
  const header = headers["platform-signature"] ?? "";
  expect(() => stripe.webhooks.signature?.verifyHeader("", header, secret, 300)).toThrow(
    "No webhook payload was provided",
  );
  expect(await createVerifier({ secret })({ body: "", headers })).toMatchObject({ body: "" });
});

/** JSON, strings and characters of every byte length, but no empty body, because stripe rejects it. */
function randomBody(seed: number): string {
  const bytes = randomBytes(1 + (seed % 400));
  const kinds = [
    () => JSON.stringify({ id: seed, data: bytes.toString("base64") }),
    () => bytes.toString("hex"),
    () => `${bytes.toString("latin1")}\uFEFF😀\r\n`,
    () => bytes.toString("utf8") || " ",
  ];
  return kinds[seed % kinds.length]?.() ?? "";
}
