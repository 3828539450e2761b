import {
  checkCallOptions,
  checkedInput,
  withLimits,
  type CallOptions,
  type SendOptions,
} from "./options/call-options.ts";
import { checkBaseUrl } from "./options/base-url.ts";
import { runAttempts } from "./send/attempts.ts";
import {
  checkClientOptionNames,
  readSettings,
  type ClientOptions,
} from "./options/client-options.ts";
import { checkCredential, type Credential } from "./options/credential.ts";
import { decodeResponse, type CompileSchema } from "./response/decode.ts";
import { AbortError } from "./errors/abort-error.ts";
import { mergeRequestHeaders } from "./request/headers.ts";
import type { QueryIdentity } from "./pager/checkpoint.ts";
import { fingerprint } from "./pager/fingerprint.ts";
import { encodeRequest, type BoundRow, type ExtraQuery } from "./request/request.ts";
import { createPause } from "./send/pause.ts";
import { createRetryBudget } from "./send/retry-budget.ts";
import type { Service } from "./options/service.ts";
import { requestIdOf, type CallResponse } from "./response/with-response.ts";

/** Sends the calls of one client. */
export interface Transport {
  /** The client checks rules that only running deployments have: for methods that check an input themselves. */
  readonly observedRules: boolean;
  /** Encodes, sends, retries and decodes; every failure is one of the errors of this package. */
  send(
    bound: BoundRow,
    input: unknown,
    options?: SendOptions,
  ): Promise<{ output: unknown; response: CallResponse }>;
  /** A hash of the base URL. */
  readonly server: string;
  /** What a checkpoint must match: hashes of the server and of the path, and the query as it is sent, without its cursor. */
  identify(
    bound: BoundRow,
    input: unknown,
    query?: ExtraQuery | undefined,
  ): Pick<QueryIdentity, "server" | "path" | "query">;
}

/** What a client package adds to the options of its caller. */
export interface TransportInit {
  readonly service: Service;
  readonly credential?: Credential | undefined;
  /** Such as `fieldmesh-console-client/1.2.0`. */
  readonly userAgent: string;
  /** Where responses are so large that checking them counts: `compileSchema`, which costs a bundle 12 KB. */
  readonly compile?: CompileSchema | undefined;
  /** The deployment carries out a request once for each idempotency key, so that a POST with one may be repeated. */
  readonly trustIdempotencyKeys?: boolean | undefined;
  /** Names of options that only this client has, beside its credential. */
  readonly options?: readonly string[] | undefined;
}

/** Checks the options of a client and creates the transport of its methods. */
export function createTransport(options: ClientOptions, init: TransportInit): Transport {
  const { service, credential, compile, trustIdempotencyKeys = false } = init;
  if (typeof options !== "object" || options === null)
    throw new TypeError("A client requires its options, such as { baseUrl }.");
  checkClientOptionNames(options, [
    ...(credential ? [credential.option] : []),
    ...(init.options ?? []),
  ]);
  if (credential !== undefined) checkCredential(credential);
  const base = checkBaseUrl(options.baseUrl, {
    hasCredential: credential !== undefined,
    allowInsecureHttp: options.allowInsecureHttp === true,
  });
  const settings = readSettings(options, service);
  const userAgent = options.userAgent ?? init.userAgent;
  if (typeof userAgent !== "string" || userAgent.trim() === "")
    throw new TypeError(
      "userAgent must be text that is not empty: the ledger answers 429 without one.",
    );
  const clientHeaders = mergeRequestHeaders({ userAgent, credential, layers: [options.headers] });
  const headersOf = (own: CallOptions["headers"]): Headers =>
    own === undefined
      ? new Headers(clientHeaders)
      : mergeRequestHeaders({ userAgent, credential, layers: [options.headers, own] });
  const budget = createRetryBudget();
  const pause = createPause(settings);
  const pauseOfWrites = service.countsWritesApart === true ? createPause(settings) : pause;

  const server = base.href.replace(/\/$/, "");
  return {
    server: fingerprint(server),
    observedRules: settings.observedRules,
    async send(bound, input, callOptions = {}) {
      const { row, call } = bound;
      const facts = { call, route: row.route };
      checkedInput(facts, () => checkCallOptions(callOptions));
      const { signal, schema, idempotencyKey } = callOptions;
      const { observedRules } = settings;
      const request = encodeRequest(bound, base, input, { ...callOptions, observedRules });
      const headers = checkedInput(facts, () => headersOf(callOptions.headers));
      if (request.body !== undefined) headers.set("content-type", "application/json");
      if (row.idempotencyKey) headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
      if (signal?.aborted === true)
        throw new AbortError({ ...facts, outcome: "not_sent", attempts: [] }, signal.reason);
      const sent = await runAttempts({
        bound,
        request,
        headers,
        credential,
        settings: withLimits(settings, callOptions),
        base,
        budget,
        pause: request.method === "GET" ? pause : pauseOfWrites,
        service,
        trustIdempotencyKeys,
        signal,
      });
      const { response, attempts } = sent;
      const { output, meta } = await decodeResponse({ bound, ...sent, settings, schema, compile });
      const requestId = requestIdOf(response.headers);
      return {
        output,
        response: { status: response.status, headers: response.headers, requestId, meta, attempts },
      };
    },
    identify(bound, input, query) {
      const { observedRules } = settings;
      const { url, query: sent } = encodeRequest(bound, base, input, { query, observedRules });
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
