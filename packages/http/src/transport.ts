import type { CallOptions, IdempotentCallOptions } from "./call-options.js";
import { checkBaseUrl } from "./base-url.js";
import { runAttempts } from "./attempts.js";
import { checkMilliseconds, readSettings, type ClientOptions } from "./client-options.js";
import { checkCredential, type Credential } from "./credential.js";
import { decodeAnswer } from "./decode.js";
import { AbortError } from "./errors/abort-error.js";
import { InputError } from "./errors/input-error.js";
import { mergeRequestHeaders } from "./headers.js";
import { encodeRequest, type BoundRow } from "./request.js";
import { checkRuntime } from "./runtime.js";
import { createRetryBudget } from "./retry-budget.js";
import type { Service } from "./service.js";
import type { Schema } from "./standard-schema.js";
import { requestIdOf, type CallResponse } from "./with-response.js";

/** Sends the calls of one client. */
export interface Transport {
  /** Encodes, sends, tries again, decodes; every way to fail is one of the errors of this package. */
  send(
    bound: BoundRow,
    input: unknown,
    options?: SendOptions,
  ): Promise<{ output: unknown; response: CallResponse }>;
}

/** The options of a call of any row. */
export type SendOptions = CallOptions & IdempotentCallOptions & { schema?: Schema | undefined };

/** What a client package adds to the options of its caller. */
export interface TransportInit {
  readonly service: Service;
  readonly credential?: Credential | undefined;
  /** Such as `fieldmesh-console-client/1.2.0`. */
  readonly userAgent: string;
}

/** Checks the options of a client, once, and makes what its methods send through. */
export function createTransport(options: ClientOptions, init: TransportInit): Transport {
  checkRuntime();
  const { service, credential } = init;
  if (credential !== undefined) checkCredential(credential);
  const base = checkBaseUrl(options.baseUrl, {
    hasCredential: credential !== undefined,
    allowInsecureHttp: options.allowInsecureHttp === true,
  });
  const settings = readSettings(options);
  const userAgent = options.userAgent ?? init.userAgent;
  if (userAgent.trim() === "")
    throw new TypeError("userAgent must not be empty: the ledger answers 429 without one.");
  const clientHeaders = mergeRequestHeaders({ userAgent, credential, layers: [options.headers] });
  const budget = createRetryBudget();

  return {
    async send(bound, input, callOptions = {}) {
      const { row, call } = bound;
      const facts = { call, route: row.route };
      const limits = readLimits(facts, callOptions, settings);
      const request = encodeRequest(bound, base, input);
      const headers = callHeaders(facts, () =>
        callOptions.headers === undefined
          ? new Headers(clientHeaders)
          : mergeRequestHeaders({
              userAgent,
              credential,
              layers: [options.headers, callOptions.headers],
            }),
      );
      if (request.body !== undefined) headers.set("content-type", "application/json");
      if (row.idempotencyKey)
        headers.set("idempotency-key", callOptions.idempotencyKey ?? crypto.randomUUID());
      if (callOptions.signal?.aborted === true) {
        throw new AbortError(
          { ...facts, outcome: "not_sent", attempts: [] },
          callOptions.signal.reason,
        );
      }
      const { answer, value, attempts } = await runAttempts({
        bound,
        request,
        headers,
        credential,
        settings: limits,
        base,
        budget,
        service,
        signal: callOptions.signal,
      });
      const output = await decodeAnswer({
        bound,
        answer,
        value,
        attempts,
        settings,
        schema: callOptions.schema,
      });
      return {
        output,
        response: {
          status: answer.status,
          headers: answer.headers,
          requestId: requestIdOf(answer.headers),
          attempts,
        },
      };
    },
  };
}

function readLimits<S extends { timeout: number; totalTimeout: number }>(
  facts: { call: string; route: string },
  { timeout, totalTimeout }: CallOptions,
  settings: S,
): S {
  try {
    return {
      ...settings,
      ...(timeout !== undefined && { timeout: checkMilliseconds("timeout", timeout) }),
      ...(totalTimeout !== undefined && {
        totalTimeout: checkMilliseconds("totalTimeout", totalTimeout),
      }),
    };
  } catch (error) {
    throw asInputError(facts, error);
  }
}

function callHeaders(facts: { call: string; route: string }, merge: () => Headers): Headers {
  try {
    return merge();
  } catch (error) {
    throw asInputError(facts, error);
  }
}

function asInputError(facts: { call: string; route: string }, error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  return new InputError(facts, [{ path: "options", message: error.message.replace(/\.$/, "") }]);
}
