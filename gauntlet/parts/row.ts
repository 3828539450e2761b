import type { FetchFunction } from "./choose-fetch.ts";
import type { Chance } from "./chance.ts";

/** The surroundings of a call: a server with a fault, and anything in between. */
export interface World extends AsyncDisposable {
  /** The `baseUrl` of the client. */
  readonly url: string;
  /** Complete requests that reached the server. */
  readonly requests: () => number;
  /** The number of POST requests among them. */
  readonly posts?: () => number;
  /** Requests that sent the key to a server that must not receive it. */
  readonly strayKeys?: () => number;
  /**
   * Connections at the server that the ended call has left behind: those on which a request still waits for its response, and
   * more others than fetch keeps for its next request.
   */
  readonly leftOpen?: () => number;
  /** For a proxy, or for the row's own certificate authority. */
  readonly fetch?: FetchFunction;
}

/** What a row creates its world with. */
export interface Context {
  readonly chance: Chance;
  /** Ends the call by its signal. */
  readonly abort: () => void;
  /** Aborted when the call has ended, so that a waiting fault ends too. */
  readonly ended: AbortSignal;
}

/**
 * How a call must end: what it returns or rejects with, the code or the status, the outcome, and how many requests the server saw, such as
 * `ConnectionError ECONNRESET unknown ×3`. `|` separates words that are equally right: runtimes and chance differ in codes. `HPE_*` is every word that begins so. `or` separates whole ends.
 */
export type Expected =
  | string
  /** `client.request` does not know what the endpoint returns, so that it may end otherwise than the method. */
  | { readonly request: string; readonly method: string };

/** Which program must be installed for a row. */
export type Program = "nginx" | "haproxy";

/** One fault or attack, and the required result of a call. */
export interface Row {
  readonly fault: string;
  readonly world: (context: Context) => Promise<World>;
  /** How a GET must end: `client.request` and `labels.list`. */
  readonly get?: Expected;
  /** How a POST must end: `client.request` and `labels.create`. */
  readonly post?: Expected;
  /** Options of the client. */
  readonly options?: object | ((context: Context) => object);
  /** Makes a call first over the same connection, which does not count. */
  readonly warm?: true;
  /** Runs alone while memory is measured: for bombs and endless bodies. */
  readonly heavy?: true;
  /** Milliseconds within which the call must end, on a busy machine too. */
  readonly within?: number;
  /** Prepares the row before memory is measured. */
  readonly prepare?: () => Promise<void>;
  readonly needs?: Program;
  /** Only Node has what the row needs, such as TLS errors or a proxy. */
  readonly nodeOnly?: true;
}

/** The rows of one file. */
export interface Family {
  readonly title: string;
  readonly rows: readonly Row[];
}
