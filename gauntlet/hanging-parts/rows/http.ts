import { createMobileClient } from "@fieldmesh/mobile-client";
import type { Wait } from "../row.ts";

const baseUrl = "https://api.test";
const fetch = async () => Response.json({ data: [], has_more: false });
const key = "sk_live_4eC39HqLyjWDarjtT1zd";

export const httpWaits: readonly Wait[] = [
  {
    part: "`fetch`, also one of the caller's own",
    limit: 30_000,
    limitText: "`timeout`: 30 s for each attempt",
    after: "the attempt counts as failed: it is retried, or the call rejects with a `TimeoutError`",
    reported: "`attempts` of the error, `onFailure` and the logger",
    recovers: "the next attempt calls it again; a response that comes late is dropped",
    start: (part) => {
      const respond = () => part(Response.json({ data: [], has_more: false }), "a response");
      const client = createMobileClient({
        baseUrl,
        apiKey: key,
        fetch: respond as never,
        retry: false,
      });
      return { use: async () => `${(await client.eventTypes.list()).length} types` };
    },
    ends: {
      never: "TimeoutError",
      late: "TimeoutError",
      twice: "0 types",
      odd: "FetchFunctionError",
    },
    works: "0 types",
  },
  {
    part: "the key function of a client",
    limit: 10_000,
    limitText: "10 s, or `totalTimeout`",
    after: "the calls that wait for it reject with a `CredentialError`: nothing was sent",
    reported: "`cause` of the error",
    recovers: "the next call asks the function again",
    start: (part) => {
      const apiKey = () => part(key, { key });
      const client = createMobileClient({ baseUrl, apiKey, fetch });
      return { use: async () => `${(await client.eventTypes.list()).length} types` };
    },
    ends: {
      never: "CredentialError",
      late: "CredentialError",
      twice: "0 types",
      odd: "CredentialError",
    },
    works: "0 types",
  },
  {
    part: "`take` of a shared rate limit",
    limit: 500,
    after:
      "the call is sent within the limit of its process, and others do not wait for the store for 10 to 60 s",
    reported: "`onError` of the store, once for each such time",
    recovers: "one `take` in the background tries again",
    start: (part) => {
      const shared = {
        take: async () => await part(0, "soon"),
        block: async () => undefined,
      };
      const rateLimit = { reads: 600, writes: 120, shared };
      const client = createMobileClient({ baseUrl, apiKey: key, fetch, rateLimit });
      return { use: async () => `${(await client.eventTypes.list()).length} types` };
    },
    ends: { never: "0 types", late: "0 types", twice: "0 types", odd: "0 types" },
    works: "0 types",
  },
];
