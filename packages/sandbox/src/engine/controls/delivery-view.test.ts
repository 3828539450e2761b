import { expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { WebhookService } from "../webhooks/create-webhooks.ts";
import { sentAttempt, viewDelivery } from "./delivery-view.ts";

const URL = "http://127.0.0.1:3000/hooks";
const MATCHES =
  "The signature matches the secret of this endpoint. If your receiver rejects it, compare its secret, check that it verifies the raw body, and check its clock.";

/** A sandbox with a receiver, whose responses are in `respond`. */
function open() {
  const sandbox = createSandbox();
  const own = { respond: (): Response => new Response("accepted") };
  const { id } = sandbox.webhooks.register({
    url: URL,
    secret: "whsec_canary",
    fetch: async () => own.respond(),
  });
  const { webhooks } = sandbox;
  const viewed = { webhooks, sentBody: ((...of) => of.join()) as WebhookService["sentBody"] };
  return { own, sandbox, webhooks, viewed, endpoint: id };
}

test("each attempt shows its own response, without the secret of any endpoint", async () => {
  const { own, webhooks, viewed } = open();
  webhooks.register({
    url: "http://127.0.0.1:3001/",
    livemode: true,
    secret: "whsec_of_another",
  });
  own.respond = () => new Response("has whsec_of_another", { status: 500 });
  await webhooks.trigger("plan.created");
  own.respond = () => new Response("has nothing", { headers: { "x-a": "whsec_canary" } });
  await webhooks.advance(30_000);
  const [delivery] = webhooks.deliveries();
  const { attempts } = await viewDelivery(viewed, delivery!.id);
  expect(attempts.map(({ response }) => response?.body)).toEqual(["[redacted]", "has nothing"]);
  expect(attempts[1]?.response?.headers["x-a"]).toBe("[redacted]");
});

test("what a receiver responds shows no cookie, no token and no query of an address", async () => {
  const { own, webhooks, viewed } = open();
  const headers = { "set-cookie": "s=canary", location: "http://127.0.0.1/?t=canary", "x-ok": "1" };
  own.respond = () => Response.json({ ok: 1, debug: { access_token: "canary" } }, { headers });
  await webhooks.trigger("plan.created");
  own.respond = () => new Response("see http://u:canary@127.0.0.1/?t=canary", { headers });
  await webhooks.replay(webhooks.deliveries()[0]!.id);
  const { attempts } = await viewDelivery(viewed, webhooks.deliveries()[0]!.id);
  expect(attempts.map(({ response }) => response?.body)).toEqual([
    '{"ok":1,"debug":{"access_token":"[redacted]"}}',
    "see http://[redacted]@127.0.0.1/?[redacted]",
  ]);
  for (const { response } of attempts)
    expect(response?.headers).toMatchObject({
      "set-cookie": "[redacted]",
      location: "http://127.0.0.1/?[redacted]",
      "x-ok": "1",
    });
});

test("a delivery of a snapshot from a file has neither details nor an explanation", async () => {
  const { own, sandbox } = open();
  own.respond = () => new Response(null, { status: 500 });
  await sandbox.webhooks.trigger("plan.created");
  const { webhooks } = createSandbox({ snapshot: JSON.parse(JSON.stringify(sandbox.snapshot())) });
  const viewed = { webhooks, sentBody: () => "{}" };
  const [{ id } = { id: "" }] = webhooks.deliveries();
  expect(await viewDelivery(viewed, id)).toEqual({
    event: expect.objectContaining({ type: "plan.created" }),
    attempts: [{ url: undefined, headers: {}, response: undefined }],
    signature: undefined,
  });
  expect(() => sentAttempt(viewed, id, 1)).toThrow("What this attempt has sent was not kept.");
});

/** Returns a function that explains the signature of the only delivery, with the body that it really had. */
function explaining({ sandbox, webhooks }: ReturnType<typeof open>, bodies: readonly string[]) {
  return async () => {
    const [{ id } = { id: "" }] = webhooks.deliveries();
    const viewed = { webhooks: sandbox.webhooks, sentBody: () => bodies.at(-1) };
    return (await viewDelivery(viewed, id)).signature;
  };
}

test("a signature is explained by the secrets that its endpoint has now, at any time", async () => {
  const all = open();
  const { webhooks } = all;
  const bodies: string[] = [];
  webhooks.unregister(all.endpoint);
  const [other, endpoint] = ["other", "hooks"].map((name) =>
    webhooks.register({
      url: `http://127.0.0.1:3000/${name}`,
      enabled_events: name === "other" ? ["sim.activated"] : ["plan.created"],
      fetch: async (request) => {
        bodies.push(await request.text());
        return new Response();
      },
    }),
  );
  const explained = explaining(all, bodies);
  await webhooks.trigger("plan.created");
  expect(await explained()).toBe(MATCHES);
  await webhooks.advance(86_400_000);
  expect(await explained()).toBe(MATCHES);
  webhooks.unregister(other!.id);
  webhooks.rotate(endpoint!.id);
  expect(await explained()).toBe(MATCHES);
  webhooks.rotate(endpoint!.id, { keepOld: false });
  expect(await explained()).toBe(
    "None of the usual changes makes the signature valid. The most likely causes are another secret, or a body that was parsed and serialized again.",
  );
  webhooks.unregister(endpoint!.id);
  expect(await explained()).toBe(
    "The endpoint was removed, so that its secret is not known any more.",
  );
});
