import type { Connection } from "./connection.ts";
import type { Endpoint } from "@fieldmesh/http";
import type { Fault } from "./faults/fault.ts";

/** One request on its way through the layers of a service: what came, and what became of it. */
export interface Call {
  readonly request: Request;
  readonly url: URL;
  /** The body as it came; `request` has been read. */
  readonly body: string;
  /** The method that a client would have called, such as `labels.get`; `undefined` where no route fits. */
  readonly row: string | undefined;
  readonly endpoint: Endpoint | undefined;
  /** Path parameters, query and body fields together, as they are on the wire, unchecked. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Where it came from; a request in the same process has no connection that could be broken. */
  readonly connection: Partial<Connection>;
  /** Whether the work was done, whatever became of the response. */
  done: boolean;
  /** What was played instead of an ordinary response. */
  fault: Fault | undefined;
  /** The connection was broken, so nothing that is returned is sent. */
  broken: boolean;
  /** What an implementation threw; the peer sees a bare 500. */
  error: unknown;
}

/** Responds to a call. */
export type CallHandler = (call: Call) => Promise<Response>;

/** Wraps a handler: a key check, a rate limit, faults, a log. The first of a list is the outermost. */
export type Layer = (next: CallHandler) => CallHandler;
