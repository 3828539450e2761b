import { dispatchFetch } from "@fieldmesh/console-client/undici";
import { fetch as undiciFetch, type Dispatcher } from "undici";
import type { ConsoleClientOptions } from "@fieldmesh/console-client";

export type FetchFunction = NonNullable<ConsoleClientOptions["fetch"]>;

/** Sends the requests of all clients through `dispatchFetch`. */
export function useDispatchFetch(): void {
  globalThis.fetch = dispatchFetch() as typeof globalThis.fetch;
  throughDispatcher = (dispatcher) => dispatchFetch({ dispatcher });
}

/** The fetch function of the guide on proxies and agents, with a dispatcher of undici. */
let throughDispatcher =
  (dispatcher: Dispatcher): FetchFunction =>
  (url, { headers, ...init }) =>
    undiciFetch(url, { ...init, headers: Object.fromEntries(headers), dispatcher });

/** Returns the fetch function for a row with a dispatcher of its own. */
export function fetchThrough(dispatcher: Dispatcher): FetchFunction {
  return throughDispatcher(dispatcher);
}
