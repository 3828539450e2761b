import { anything, getOrInsertComputed, options, parseJson } from "@fieldmesh/core/internal";
import type { Endpoint, Sample, SampleOf } from "@fieldmesh/http/internal";
import { type AnyHandler, respond, textResponse } from "./responses.ts";
import type { Call, CallHandler, Layer, Connection } from "./call.ts";
import type { Fault } from "./fault.ts";
import { findMisfits, type InputRules, type Misfit, inputOf, isJson } from "./read-input.ts";
import type { Moment } from "../time/moment.ts";
import type { RateWindows } from "./rate-limit.ts";
import { createRouter, type Tables, type Target } from "./router.ts";

/** Responds to a request. node:http, MSW and tests call this. It rejects only to break a connection. */
export type Handler = (request: Request, connection?: Partial<Connection>) => Promise<Response>;

/** The handlers of a service, row by row, in wire format. An omitted row responds with its sample, or with 501 if it has none. */
export type Implementation<T extends Tables> = {
  readonly [Resource in keyof T]?: Partial<CompleteResource<T[Resource]>>;
};

/** An {@link Implementation} of all rows, so that a row without a handler does not compile. */
export type CompleteImplementation<T extends Tables> = {
  readonly [Resource in keyof T]: CompleteResource<T[Resource]>;
};

/** A handler for every row of a table. */
type CompleteResource<T> = { readonly [Name in keyof T]: RowHandler<T[Name]> };

/** Handles one row. Returns the value in wire format, or a Response if a value is not enough. */
export type RowHandler<E> = E extends Endpoint
  ? SampleOf<E> extends Sample<infer Input, infer Output>
    ? Handle<Input, Output> | { readonly unchecked: Handle<Call["input"], Output> }
    : never
  : never;

type Handle<Input, Output> = (
  input: Input,
  call: Call,
) => Output | Response | Promise<Output | Response>;

/** Options of {@link serve}. */
export interface ServeOptions {
  /**
   * The path prefix of every route, such as `/console`.
   *
   * @default "" - none
   */
  prefix?: string | undefined;
  /**
   * Responds to an input that the schemas of the row reject. A row that is `unchecked` receives such input itself.
   *
   * @default a 400 with the names of the fields
   */
  reject?: ((misfits: readonly Misfit[], call: Call) => Response) | undefined;
  /** Layers around every call, the first one outermost. Requests without a matching route pass through them too. */
  layers?: readonly Layer[] | undefined;
}

const readOptions = /* @__PURE__ */ options<ServeOptions>("serve", {
  prefix: anything,
  reject: anything,
  layers: anything,
});

/**
 * Serves tables of endpoints, which have one row for each. It routes a request to its row, checks it against the schemas of the
 * row, and responds with the result of the implementation. A row without one responds with its sample if the tables have samples
 * (see {@link withSamples}), and otherwise with 501.
 *
 * Integers of any size survive in both directions. A string has no content type, as in the services. If an implementation throws,
 * the response is a plain 500, and the call contains the error.
 */
export function serve<T extends Tables>(
  tables: T,
  implementation: Implementation<T> = {},
  given: ServeOptions = {},
): Handler {
  return serveTables(tables, implementation, readOptions(given)).handler;
}

/** An earlier call, with the fault that was applied to it. */
export type RepeatedCall = Pick<Call, "request" | "body" | "connection" | "fault">;

export interface ServedTables {
  readonly prefix: string;
  readonly handler: Handler;
  /** Handles an earlier call again, without a wait before its first layer. */
  readonly repeat: (call: RepeatedCall) => Promise<Response>;
}

/** A service of a sandbox that is ready to respond. */
export interface ServedService<State, Saved> extends ServedTables {
  readonly state: State;
  readonly save: () => Saved;
  /** Its limits by what they count. */
  readonly perMinute: Readonly<Partial<Record<"requests" | "reads" | "writes", number>>>;
  /** What was counted. */
  readonly windows: RateWindows;
}

/** What a service of a sandbox starts with. */
export interface ServiceSetting<Saved> {
  readonly clock: Moment;
  readonly seed: number | string;
  /** The layers of the sandbox, which run before those of the service. */
  readonly around: readonly Layer[];
  readonly windows: RateWindows;
  /** Saved data to start with, instead of new data. */
  readonly saved: Saved | undefined;
}

interface ServeTablesOptions extends ServeOptions {
  /** Responds to a request that no route matches. */
  readonly notFound?: (() => Response) | undefined;
  /** The rules that an input must fit. @default "observed" */
  readonly rules?: InputRules | undefined;
  /** Changes a parsed body before its row is chosen and it is checked. @default nothing */
  readonly readBody?: ((target: Target) => unknown) | undefined;
  /** Whether the service accepts what a schema rejects. @default nothing */
  readonly ignores?: ((misfit: Misfit) => boolean) | undefined;
}

export function serveTables<T extends Tables>(
  tables: T,
  implementation: Implementation<T>,
  {
    prefix = "",
    reject = rejectByName,
    layers = [],
    notFound = () => textResponse("Not Found", { status: 404 }),
    rules = "observed",
    readBody: adapt = ({ body }) => body,
    ignores = () => false,
  }: ServeTablesOptions,
): ServedTables {
  const route = getOrInsertComputed(routers, tables, createRouter);
  const handlers = implementation as Readonly<
    Record<string, Readonly<Record<string, AnyHandler>> | undefined>
  >;

  const handle = (
    request: Request,
    text: string,
    connection: Partial<Connection>,
    fault?: Fault,
  ): Promise<Response> => {
    const url = new URL(request.url);
    const body = readBody(request, text);
    const path = pathBelow(prefix, url.pathname);
    const sent = { method: request.method, path: path ?? "", query: url.searchParams };
    const target = { ...sent, body: adapt({ ...sent, body: body.value }) };
    const match = path === undefined ? undefined : route(target);
    const call: Call = {
      request,
      url,
      body: text,
      row: match && `${match.resource}.${match.name}`,
      endpoint: match?.endpoint,
      input: match ? inputOf(match.endpoint, { ...target, path: match.path }) : {},
      connection,
      done: false,
      fault,
      broken: false,
      keyRejected: false,
      error: undefined,
    };
    const work: CallHandler = async () => {
      if (match === undefined) return notFound();
      if (body.rejection !== undefined && match.endpoint.body !== undefined)
        return textResponse(...body.rejection);
      const handler = handlers[match.resource]?.[match.name];
      const misfits = () =>
        findMisfits(match.endpoint, call.input, target.body, rules).filter(
          (each) => !ignores(each),
        );
      return respond(handler, match, call, { misfits, reject });
    };
    return layers.reduceRight<CallHandler>((next, layer) => layer(next), work)(call);
  };

  return {
    prefix,
    handler: async (request, connection = {}) => handle(request, await request.text(), connection),
    repeat: ({ request, body, connection, fault }) => handle(request, body, connection, fault),
  };
}

/** The routers of tables, which never change: each fork of a sandbox serves the same ones. */
const routers = new WeakMap<Tables, ReturnType<typeof createRouter>>();

interface ReadBody {
  readonly value: unknown;
  /** Only for a row with a body. */
  readonly rejection?: [text: string, init: { status: number }];
}

function readBody(request: Request, text: string): ReadBody {
  if (text === "") return { value: undefined };
  if (!isJson(request)) {
    return {
      value: undefined,
      rejection: ["Unsupported Media Type: send content-type: application/json", { status: 415 }],
    };
  }
  try {
    return { value: parseJson(text) };
  } catch {
    return { value: undefined, rejection: ["Bad Request: the body is not JSON", { status: 400 }] };
  }
}

function pathBelow(prefix: string, path: string): string | undefined {
  if (prefix === "") return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

function rejectByName(misfits: readonly Misfit[]): Response {
  const names = [...new Set(misfits.map(({ path }) => path.join(".")))];
  return textResponse(`Bad Request: ${names.join(", ")}`, { status: 400 });
}
