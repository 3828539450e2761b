import type { NewDevice } from "@fieldmesh/console-client";
import * as samples from "@fieldmesh/console-client/samples";
import { sendJson, startOrigin, type Origin } from "../parts/origin.ts";
import type { Chaos } from "./chaos.ts";

/** A console with devices, whose responses fail in every way. */
export interface Service {
  readonly origin: Origin;
  /** How often it has created each device, by its EUI. */
  readonly created: ReadonlyMap<string, number>;
  readonly forget: (eui: string) => void;
}

const PAGE = 50;
/** A response that never comes: a proxy closes its connection after this time, which is longer than the timeout of most calls. */
const HANGS = 4_000;

export async function startService({ oneIn, int }: Chaos): Promise<Service> {
  const devices = new Map<string, object>();
  const created = new Map<string, number>();
  const create = (given: NewDevice) => {
    created.set(given.dev_eui, (created.get(given.dev_eui) ?? 0) + 1);
    const id = `4a1d3f0c-6f0d-4d6c-9d3b-${given.dev_eui.slice(-12)}`;
    const device = { ...samples.devices.list.output[0], ...given, labels: [], id };
    devices.set(given.dev_eui, device);
    return device;
  };
  const origin = await startOrigin((request, response, _, body = "") => {
    const url = new URL(request.url ?? "", "http://host");
    // Before its work.
    if (oneIn(30)) return sendJson(response, 503, "{}");
    if (oneIn(40)) return void response.writeHead(429, { "retry-after": "0" }).end();
    if (oneIn(40)) return request.socket.resetAndDestroy();
    // The work.
    const output = work(url, request.method, body);
    // After its work.
    if (oneIn(60)) return void setTimeout(() => request.socket.destroy(), HANGS);
    if (oneIn(40)) return request.socket.resetAndDestroy();
    if (oneIn(40)) return sendJson(response, 502, "<html>");
    if (oneIn(40)) return sendJson(response, 200, JSON.stringify(output).slice(0, -1));
    return oneIn(20)
      ? void setTimeout(() => sendJson(response, 200, JSON.stringify(output)), int(1, 400))
      : sendJson(response, 200, JSON.stringify(output));
  });

  function work(url: URL, method: string | undefined, body: string): unknown {
    if (url.pathname === "/v1/accounts") return pageOf(url.searchParams.get("cursor"));
    if (url.pathname.endsWith("/organization")) return samples.organization.list.output;
    if (url.pathname.endsWith("/labels")) return samples.labels.list.output;
    if (method === "GET") return [...devices.values()];
    const sent = (JSON.parse(body) as { devices: NewDevice[] }).devices.map(create);
    return { success: sent, failure: [] };
  }
  return { origin, created, forget: (eui) => (devices.delete(eui), created.delete(eui)) };
}

/** The ledger has a list of five pages. */
export const ACCOUNTS = 5 * PAGE;

function pageOf(cursor: string | null): unknown {
  const first = Number(cursor ?? 0);
  const data = Array.from({ length: PAGE }, (_, index) => ({
    address: `13AHnyqWJH2pMEzrLH2ncdqtWRVvW8c5vGmWYJd${String(first + index).padStart(12, "x")}`,
    balance: first + index,
    dc_balance: 0,
    nonce: 0,
    block: 1,
  }));
  const next = first + PAGE;
  return { data, ...(next < ACCOUNTS && { cursor: String(next) }) };
}
