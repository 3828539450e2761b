import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { dispatchFetch } from "@fieldmesh/ledger-client/undici";
import { responseSchema, type Endpoint } from "@fieldmesh/http/internal";
import { blocks } from "@fieldmesh/ledger-client/endpoints";
import { Stripe } from "stripe";
import * as z from "zod";
import { ROWS_PER_PAGE } from "./records.ts";

const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";

/** Walks a list row by row and returns the number of rows. It awaits `onPage` at the first row of each page. */
export type Walker = (baseUrl: string, onPage: () => Promise<void>) => Promise<number>;

/** Walks with this library, with a loop written without a library, and with two peers. */
export const walkers = {
  "bare fetch loop": async (baseUrl, onPage) => {
    const schema = z.compile(responseSchema(blocks.transactions as Endpoint));
    let rows = 0;
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? "" : `?cursor=${cursor}`;
      const response = await fetch(`${baseUrl}/v1/blocks${query}`);
      const page = z.parse(schema, await response.json()) as { data: unknown[]; cursor?: string };
      await onPage();
      for (const _ of page.data) rows++;
      ({ cursor } = page);
    } while (cursor !== undefined);
    return rows;
  },
  fieldmesh: async (baseUrl, onPage) => {
    const client = createLedgerClient({ baseUrl });
    return await count(client.accounts.activity({ address }), onPage);
  },
  "fieldmesh, prefetch 0": async (baseUrl, onPage) => {
    const client = createLedgerClient({ baseUrl });
    return await count(client.accounts.activity({ address }, { prefetch: 0 }), onPage);
  },
  "fieldmesh, dispatchFetch": async (baseUrl, onPage) => {
    const client = createLedgerClient({ baseUrl, fetch: dispatchFetch() });
    return await count(client.accounts.activity({ address }), onPage);
  },
  "octokit (not validated)": async (baseUrl, onPage) => {
    const octokit = new (Octokit.plugin(paginateRest))({
      baseUrl,
      request: { fetch: withLinks(baseUrl) },
    });
    let rows = 0;
    for await (const { data } of octokit.paginate.iterator("GET /v1/blocks")) {
      await onPage();
      for (const _ of data as unknown[]) rows++;
    }
    return rows;
  },
  "stripe (not validated)": async (baseUrl, onPage) => {
    const stripe = new Stripe("sk_test_none", {
      httpClient: Stripe.createFetchHttpClient(asStripe(baseUrl) as never),
      maxNetworkRetries: 0,
      telemetry: false,
    });
    return await count(stripe.customers.list({ limit: ROWS_PER_PAGE }), onPage);
  },
} as const satisfies Readonly<Record<string, Walker>>;

async function count(list: AsyncIterable<unknown>, onPage: () => Promise<void>): Promise<number> {
  let rows = 0;
  for await (const _ of list) if (rows++ % ROWS_PER_PAGE === 0) await onPage();
  return rows;
}

/** Octokit finds the next page in a Link header. */
function withLinks(baseUrl: string) {
  return async (url: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const { data, cursor } = (await response.json()) as { data: unknown; cursor?: string };
    const link =
      cursor === undefined ? {} : { link: `<${baseUrl}/v1/blocks?cursor=${cursor}>; rel="next"` };
    return Object.defineProperty(Response.json(data, { headers: link }), "url", { value: url });
  };
}

/** Stripe requests the rows after the id of the last row. */
function asStripe(baseUrl: string) {
  let page = 0;
  return async (): Promise<Response> => {
    const query = page === 0 ? "" : `?cursor=c${page}`;
    const response = await fetch(`${baseUrl}/v1/blocks${query}`);
    const body = (await response.json()) as { data: { hash: string }[]; cursor?: string };
    page++;
    const data = body.data.map((row) => ({ ...row, id: row.hash }));
    return Response.json({ object: "list", data, has_more: body.cursor !== undefined });
  };
}
