import type { Endpoint } from "@fieldmesh/http/internal";
import type { Fault } from "./fault.ts";

/** One request on its way through the layers of a service: what arrived, and what happened to it. */
export interface Call {
  readonly request: Request;
  readonly url: URL;
  /** The unchanged body. `request` has been read. */
  readonly body: string;
  /** The method that a client would call, such as `labels.get`. `undefined` if no route matches. */
  readonly row: string | undefined;
  readonly endpoint: Endpoint | undefined;
  /** Path parameters, query and body fields together, in wire format and unchecked. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The connection of the request. A request in the same process has none that could be broken. */
  readonly connection: Partial<Connection>;
  /** Whether the work was done, whatever happened to the response. */
  done: boolean;
  /** The fault that was applied to the request. */
  fault: Fault | undefined;
  /** Whether the connection was broken, so that no response is sent. */
  broken: boolean;
  /** Whether the key of the request was rejected. */
  keyRejected: boolean;
  /** The error of an implementation. The peer only sees a 500. */
  error: unknown;
}

/** Responds to a call. */
export type CallHandler = (call: Call) => Promise<Response>;

/** Wraps a handler: a key check, a rate limit, faults, a log. The first layer of a list is the outermost. */
export type Layer = (next: CallHandler) => CallHandler;

/** The connection of a request. */
export interface Connection {
  /** The IP address of the peer. */
  readonly remoteAddress: string | undefined;
  /**
   * Breaks the connection deliberately, to play a fault.
   *
   * Before the handler returns, this is a reset without a response. While its body is read, the bytes that were read so far are
   * sent, and the connection then ends in the middle of the body. Aborts `request.signal`.
   */
  destroy(): void;
}
