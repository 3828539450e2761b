import { expect, test } from "vitest";
import { createThings, createThingsTransport, errorOf, thing } from "./things.ts";

// What makes a server or proxy leave a segment of a path, at each place that takes a segment from elsewhere.

/** Each as in a URL: dots, what cuts off a segment, control characters, slashes, overlong forms, what servers normalize. */
const tricks =
  `.. ... %2e%2e %252e%252e %25252e%25252e; %25252525252e ..; ..;v=1 .; %2e%2e; %2e%2e%3b ..%3fx ..%23x ..%20
  %00 ..%00 a%0d%0ab a%7f a%2fb a%252fb a%5cb
  %c0%ae%c0%ae %e0%80%ae a%c0%afb %u002e%u002e %25u002e
  %ef%bc%8e%ef%bc%8e %e2%80%a5 a%ef%bc%8fb ..%ef%bc%9b`.split(/\s+/);

/** Each returns the error of a call, and what was sent beside the call itself. */
const places = {
  async value(trick: string) {
    const { sent, settings } = open();
    return [(await errorOf(createThings(settings).get({ name: trick }))).name, sent];
  },
  async path(trick: string) {
    const { sent, settings } = open();
    const { request } = createThingsTransport(settings);
    const call = request({ method: "GET", path: `/v1/${trick}/x` });
    return [(await errorOf(call)).name, sent];
  },
  async redirect(trick: string) {
    const { sent, settings } = open(`/api/${trick}/x`);
    return [(await errorOf(createThings(settings).list())).name, sent.slice(1)];
  },
};

function open(location?: string, baseUrl = "https://things.test/api") {
  const sent: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    sent.push(url);
    return location !== undefined && sent.length === 1
      ? new Response(null, { status: 302, headers: { location } })
      : Response.json([thing]);
  };
  return { sent, settings: { baseUrl, fetch, retry: false } as const };
}

for (const [place, reject] of Object.entries(places))
  test.for(tricks.map((trick) => ({ trick })))(
    `$trick is rejected in a ${place}`,
    async ({ trick }) => {
      expect(await reject(trick)).toEqual([place === "redirect" ? "ApiError" : "InputError", []]);
    },
  );

test.for(["", "b", "b/", "b.c", "..b", "50%25", "a;b=c", "%C3%BC", "a%20b", "b?c=..%2f#d"])(
  "a redirect to /api/%o is followed",
  async (rest) => {
    const { sent, settings } = open(`/api/${rest}`);
    await createThings(settings).list();
    expect(sent[1]).toBe(`https://things.test/api/${rest}`);
  },
);

test.for([
  ["of%2fothers", "of%2fothers"],
  ["of%2Fothers", "of%2fothers"],
  ["of%2fothers", "of%2Fothers"],
  ["%7Eothers", "~others"],
  ["~others", "%7eothers"],
  ["%C3%BC", "%c3%bc"],
])("a base URL with the path %s may redirect to %s below itself", async ([path, other]) => {
  const { sent, settings } = open(`/${other}/v1/b`, `https://things.test/${path}`);
  await createThings(settings).list();
  expect(sent[1]).toBe(`https://things.test/${other}/v1/b`);
});

test.for([
  ["of%2Fothers", "of/others"],
  ["of%2Fothers", "of%252Fothers"],
  ["of%2Fothers", "OF%2Fothers"],
  ["of%2Fothers", "of%2Fothers/..%2f"],
])("a base URL with the path %s may not redirect to %s", async ([path, other]) => {
  const { sent, settings } = open(`/${other}/v1/b`, `https://things.test/${path}`);
  await expect(createThings(settings).list()).rejects.toThrow("failed with 302");
  expect(sent).toHaveLength(1);
});
