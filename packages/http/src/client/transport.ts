import { guardInput, type Schema } from "@fieldmesh/core";
import {
  checkCallOptionNames,
  checkCallOptions,
  checkedInput,
  withCallOptions,
  type CallOptions,
  type SendOptions,
} from "../options/call-options.ts";
import { checkRuntime } from "../options/runtime.ts";
import { checkBrowser } from "../options/browser.ts";
import { checkBaseUrl } from "../options/base-url.ts";
import { runAttempts } from "../send/attempts.ts";
import { checkClientOptionNames, type ClientOptions } from "../options/client-options.ts";
import { readSettings } from "../options/settings.ts";
import { checkCredential, type Credential } from "../options/credential.ts";
import type { CompileSchema } from "../response/response-to-decode.ts";
import { decodeInTime } from "../response/decode-in-time.ts";
import { AbortError } from "../errors/abort-error.ts";
import { createShowText } from "../errors/show-text.ts";
import { isCallError } from "../errors/guards.ts";
import { mergeRequestHeaders } from "../wire/headers.ts";
import type { PreparedCall } from "../send/prepared-call.ts";
import { secretCheckOf } from "../request/secrets.ts";
import type { QueryIdentity } from "../pager/checkpoint.ts";
import { fingerprint } from "../pager/fingerprint.ts";
import { encodeAnyRequest, type AnyRequest } from "../request/any-request.ts";
import type { ClientMethods } from "./client-methods.ts";
import {
  encodeRequest,
  type BoundRow,
  type ExtraQuery,
  type WireRequest,
} from "../request/request.ts";
import { shareWith, type Shared } from "../send/shared.ts";
import type { Service } from "../options/service.ts";
import { traceCall } from "../send/trace-call.ts";
import { outputOf, requestIdOf, type CallResult } from "../response/with-response.ts";

/** Sends the calls of one client. */
export interface Transport {
  /** Whether the client checks rules that only running deployments enforce. Used by methods that check an input themselves. */
  readonly observedRules: boolean;
  /** Encodes, sends, retries and decodes. Every failure is an error of this package. */
  send(bound: BoundRow, input: unknown, options?: SendOptions): Promise<CallResult>;
  /** Sends a request that no row declares, in the same way as those of the rows. */
  readonly request: ClientMethods<unknown, unknown>["request"];
  /** What other clients with the same server and credential share with this one. */
  readonly shared: Shared;
  /** A hash of the base URL. */
  readonly server: string;
  /** Returns what a checkpoint must match: hashes of the server and the path, and the query as it is sent, without its cursor. */
  identify(
    bound: BoundRow,
    input: unknown,
    query?: ExtraQuery | undefined,
  ): Pick<QueryIdentity, "server" | "path" | "query">;
}

/** What a client package adds to the options of the user. */
export interface TransportInit {
  readonly service: Service;
  readonly credential?: Credential | undefined;
  /** For example `fieldmesh-console-client/1.2.0`. */
  readonly userAgent: string;
  /** Speeds up large responses: `compileSchema`, which adds 12 KB to a bundle. */
  readonly compile?: CompileSchema | undefined;
  /** The deployment carries out one request for each idempotency key, so a POST with a key may be repeated. */
  readonly trustIdempotencyKeys?: boolean | undefined;
  /** Every POST and DELETE carries an idempotency key, including those of `request`. @default false - only calls that receive one */
  readonly keyedWrites?: boolean | undefined;
  /** The transport of the client whose `withOptions` was called. */
  readonly parent?: Transport | undefined;
  /** Names of the options that only this client has, besides its credential. */
  readonly options?: readonly string[] | undefined;
}

/** Checks the options of a client and creates the transport of its methods. */
export function createTransport(options: ClientOptions, init: TransportInit): Transport {
  const { service, credential, compile, trustIdempotencyKeys = false } = init;
  checkRuntime();
  checkClientOptionNames(options, [
    ...(credential ? [credential.option] : []),
    ...(init.options ?? []),
  ]);
  if (credential !== undefined) checkCredential(credential);
  const base = checkBaseUrl(options.baseUrl, {
    hasCredential: credential !== undefined,
    allowInsecureHttp: options.allowInsecureHttp === true,
  });
  if (credential !== undefined) checkBrowser(base, { ...options, option: credential.option });
  const settings = readSettings(options, service);
  const userAgent = options.userAgent ?? init.userAgent;
  if (typeof userAgent !== "string" || userAgent.trim() === "")
    throw new TypeError(
      "userAgent must be a non-empty string: the ledger responds with 429 without one.",
    );
  const clientHeaders = mergeRequestHeaders({ userAgent, credential, layers: [options.headers] });
  const headersOf = (own: CallOptions["headers"]): Headers =>
    own === undefined
      ? new Headers(clientHeaders)
      : mergeRequestHeaders({ userAgent, credential, layers: [options.headers, own] });
  const server = base.href.replace(/\/$/, "");
  const shared = shareWith(init.parent?.shared, { server, credential, settings, service });

  async function deliver(
    bound: BoundRow,
    request: WireRequest,
    callOptions: SendOptions,
  ): Promise<CallResult> {
    const id = crypto.randomUUID();
    return await traceCall({ id, bound, request, base }, async () => {
      try {
        return await deliverAs(id, bound, request, callOptions);
      } catch (error) {
        if (isCallError(error)) settings.log?.end(id, error);
        throw error;
      }
    });
  }

  async function deliverAs(
    id: string,
    bound: BoundRow,
    request: WireRequest,
    callOptions: SendOptions,
  ): Promise<CallResult> {
    const { signal, schema, idempotencyKey } = callOptions;
    const facts = factsOf(bound);
    const given = { path: "options", value: callOptions };
    const called = checkedInput(facts, given, () => withCallOptions(settings, callOptions));
    const headers = checkedInput(facts, given, () => headersOf(callOptions.headers));
    if (request.body !== undefined) headers.set("content-type", "application/json");
    if (bound.row.idempotencyKey)
      headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
    if (signal?.aborted === true)
      throw new AbortError({ ...facts, outcome: "not_sent", attempts: [] }, signal.reason);
    const call: PreparedCall = {
      id,
      bound,
      request,
      headers,
      credential,
      key: shared.key,
      keys: new Set<string>(),
      settings: called,
      base,
      budget: shared.budget,
      pause: request.method === "GET" ? shared.pause : shared.pauseOfWrites,
      turns: shared.governor.budgetOf(request.method),
      priority: callOptions.priority ?? "normal",
      service,
      trustIdempotencyKeys,
      signal,
    };
    const sent = await runAttempts(call);
    const { response, attempts } = sent;
    const { output, meta } = await decodeInTime(
      {
        bound,
        ...sent,
        settings: called,
        schema,
        compile,
        holdsSecret: (text) => secretCheckOf(call)(text),
      },
      { signal, timeLeft: sent.timeLeft },
    );
    const { status, headers: received } = response;
    return {
      output,
      response: {
        status,
        headers: received,
        // A getter, because only withResponse reads it. No other call then needs the check.
        get requestId() {
          return requestIdOf(received, secretCheckOf(call));
        },
        meta,
        attempts,
      },
      get show() {
        return createShowText(secretCheckOf(call));
      },
    };
  }

  async function sendAny(request: AnyRequest, callOptions: SendOptions = {}): Promise<CallResult> {
    const { bound, wire, own } = guardInput(
      "An argument of request",
      [request, callOptions],
      () => {
        checkCallOptionNames("request", callOptions, ["idempotencyKey"]);
        const hasKey =
          callOptions?.idempotencyKey !== undefined ||
          (init.keyedWrites === true && ["POST", "DELETE"].includes(request?.method));
        const encoded = encodeAnyRequest(request, base, { hasKey });
        return { ...encoded, own: ownOptions(encoded.bound, callOptions, request.schema) };
      },
    );
    return await deliver(bound, wire, own);
  }

  return {
    shared,
    server: fingerprint(server),
    observedRules: settings.observedRules,
    async send(bound, input, callOptions = {}) {
      const own = ownOptions(bound, callOptions);
      const { observedRules } = settings;
      const request = checkedInput(factsOf(bound), { path: "", value: [input, own.query] }, () =>
        encodeRequest(bound, base, input, { ...own, observedRules }),
      );
      return await deliver(bound, request, own);
    },
    request(request, callOptions) {
      return outputOf(sendAny(request, callOptions)) as Promise<never>;
    },
    identify(bound, input, query) {
      const { observedRules } = settings;
      const { url, query: sent } = checkedInput(
        factsOf(bound),
        { path: "", value: [input, query] },
        () => encodeRequest(bound, base, input, { query, observedRules }),
      );
      const { cursor = "", ...filters } = sent;
      const [path = ""] = url.slice(server.length).split("?");
      return {
        server: this.server,
        path: fingerprint(`${path} ${cursor}`),
        query: filters,
      };
    },
  };
}

/** Copies and checks the options of a call. Reads the getters of the caller only here, where their errors become an InputError. */
function ownOptions(bound: BoundRow, callOptions: SendOptions, schema?: Schema): SendOptions {
  return checkedInput(factsOf(bound), { path: "options", value: [callOptions, schema] }, () => {
    const own = schema === undefined ? callOptions : { ...callOptions, schema };
    checkCallOptions(own);
    return { ...own };
  });
}

function factsOf({ call, row }: BoundRow): { call: string; route: string } {
  return { call, route: row.route };
}
