import { describe, expect, test } from "vitest";
import {
  isApiError,
  type ApiError,
  createMobileClient,
  InputError,
  modeOf,
  rateLimitOf,
} from "../src/index.ts";

/** Makes a call that receives this status and body. Returns its error and the number of requests. */
async function errorOf(status: number, body: unknown): Promise<{ error: ApiError; sent: number }> {
  let sent = 0;
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    retry: { attempts: 2, baseDelay: 1, maxDelay: 1 },
    fetch: async () => {
      sent++;
      return Response.json(body, { status });
    },
  });
  const error: unknown = await client.subscribers
    .create({ email: "a@site.example", name: "A" }, { idempotencyKey: "one" })
    .catch((thrown: unknown) => thrown);
  if (!isApiError(error)) expect.fail("no ApiError");
  return { error, sent };
}

describe("an error shows", () => {
  test("each wrong field and its codes, by its path", async () => {
    const { error } = await errorOf(422, {
      code: "validation_failed",
      errors: [
        { path: "/email", code: "is_taken" },
        { path: "/email", code: "too.long" },
        { path: "/address/0/zip-code", code: "missing" },
      ],
    });
    expect(error.code).toBe("validation_failed");
    expect(error.fields).toEqual({
      email: ["is_taken", "too.long"],
      "address.0.zip-code": ["missing"],
    });
    expect(error.message).toContain("email is_taken, too.long; address.0.zip-code missing");
  });

  test.each([
    ["another type", "wrong"],
    ["no path", { code: "missing" }],
    ["no code", { path: "/email" }],
    ["a path without a slash", { path: "email", code: "missing" }],
    ["a path that ends with another character", { path: "/email?", code: "missing" }],
    ["a path with a prefix", { path: "x/email", code: "missing" }],
    ["a path of seven steps", { path: "/a".repeat(7), code: "missing" }],
    ["a path with a step of 41 characters", { path: `/${"a".repeat(41)}`, code: "missing" }],
    ["a code that is a sentence", { path: "/email", code: "is missing" }],
    ["a code that begins with a capital", { path: "/email", code: "Missing" }],
    ["a code that ends in a number", { path: "/email", code: "missing1" }],
    ["a code of one character", { path: "/email", code: "m" }],
    ["a code that is not a string", { path: "/email", code: 7 }],
  ])("nothing of an entry with %s", async (_, entry) => {
    const { error } = await errorOf(422, { code: "invalid", errors: [entry] });
    expect(error.fields).toEqual({});
    expect(error.message).not.toContain("missing");
  });

  test.each([{}, null, "text", { errors: {} }, { errors: null }])(
    "the meaning of its status if the body is %j",
    async (body) => {
      const { error } = await errorOf(422, body);
      expect(error.fields).toEqual({});
      expect(error.code).toBeUndefined();
      expect(error.message).toContain("422");
    },
  );

  test("its code if the table has no meaning for the status", async () => {
    const { error } = await errorOf(418, { code: "teapot.refused" });
    expect(error.message).toContain("teapot.refused");
  });

  test("at most fifty fields", async () => {
    const errors = Array.from({ length: 60 }, (_, index) => ({ path: `/f${index}`, code: "bad" }));
    const { error } = await errorOf(422, { errors });
    expect(Object.keys(error.fields)).toHaveLength(50);
  });

  test("which capability is missing for a 403", async () => {
    const { error } = await errorOf(403, {});
    expect(error.message).toContain("Add the capability that this call needs to the key.");
    expect((await errorOf(422, {})).error.message).not.toContain("capability");
  });
});

describe("a 409", () => {
  const advice = "An earlier attempt is still in progress";

  test.each([undefined, "idempotency_key_in_use", "request_in_flight"])(
    "with the code %s means a request in progress, and is retried",
    async (code) => {
      const { error, sent } = await errorOf(409, { code });
      expect(sent).toBe(2);
      expect(error.message).toContain(advice);
    },
  );

  test.each(["email_taken", 7, null, ["request_in_flight"]])(
    "with the code %s means another conflict, and is not retried",
    async (code) => {
      const { error, sent } = await errorOf(409, { code });
      expect(sent).toBe(1);
      expect(error.message).not.toContain(advice);
    },
  );
});

describe("the amount of a credit", () => {
  const issue = async (body: object): Promise<unknown> => {
    const sent: unknown[] = [];
    const client = createMobileClient({
      baseUrl: "https://mobile.test",
      apiKey: "sk_sandbox_x",
      fetch: async (_, { body: text }) => {
        sent.push(text);
        return Response.json({ id: "cred_1" }, { status: 201 });
      },
    });
    try {
      await client.balanceCredits.create({ id: "sub_1", ...body } as never);
    } catch (error) {
      expect(sent).toEqual([]);
      if (!(error instanceof InputError)) throw error;
      return error.message;
    }
    return sent[0];
  };

  test.each([0, -1, Number.NaN, Infinity, 0n, -5n, "0", "-1", "0.00", ""])(
    "must be more than 0, and is rejected as %s",
    async (amount) => {
      for (const name of ["amount", "amount_cents"])
        expect(await issue({ [name]: amount })).toContain(
          "must be more than 0: only credits are issued here",
        );
    },
  );

  test.each([1, 0.01, 5n, "5", "5 USD", { value: 0 }])("is accepted as %s", async (amount) => {
    expect(await issue({ amount })).toContain('"amount":');
  });
});

test.each(["xsk_live_1", " sk_live_1", "sk_live", "sk-live-1"])(
  "the key %j does not name its environment",
  (key) => {
    expect(modeOf(key)).toBeUndefined();
  },
);

test.each([
  [400, "The request is malformed"],
  [401, "The key was not accepted"],
  [403, "The key is not allowed to do this"],
  [
    409,
    "The request conflicts with an existing record, or a call with this idempotency key is still in progress",
  ],
  [422, "The input was not accepted"],
])("the error of a %i for a new subscriber says: %s", async (status, meaning) => {
  const { error } = await errorOf(status, {});
  expect(error.message).toContain(meaning);
});

test("the error of a 404 mentions the environment of the key", async () => {
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    fetch: async () => Response.json({}, { status: 404 }),
  });
  for (const call of [
    () => client.subscribers.get({ id: "sub_1" }),
    () => client.balanceCredits.create({ id: "sub_1", amount_cents: 5 }),
  ])
    await expect(call()).rejects.toThrow(
      "The record does not exist, or belongs to another environment (live or sandbox) than the key",
    );
  await expect(client.subscribers.get({ id: "" })).rejects.toThrow("id: must not be empty");
});

test("createMobileClient requires options, and rateLimitOf requires headers", () => {
  expect(() => createMobileClient("key" as never)).toThrow(
    "createMobileClient requires an object of options, such as { baseUrl, apiKey }, not a string.",
  );
  expect(() => rateLimitOf(null as never)).toThrow("rateLimitOf requires headers, not null.");
  expect(() => rateLimitOf("x" as never)).toThrow("rateLimitOf requires headers, not a string.");
  expect(() => rateLimitOf({ "no name": "x" })).toThrow(
    "rateLimitOf requires the headers of a response, or of an ApiError.",
  );
});
