import { checkBaseUrl } from "../options/base-url.ts";
import { checkBrowser, checkRuntime } from "../options/runtime.ts";
import type { SendOptions } from "../options/call-options.ts";
import type { ClientOptions } from "../options/client-options.ts";
import { checkCredential, type Credential } from "../options/credential.ts";
import type { Service } from "../options/service.ts";
import { readSettings } from "../options/settings.ts";
import type { Connection } from "../send/prepared-call.ts";
import { shareWith } from "../send/shared.ts";
import { mergeRequestHeaders } from "../wire/headers.ts";

/** What a client package adds to the options of the user. */
export interface TransportInit {
  readonly service: Service;
  readonly credential?: Credential | undefined;
  /** For example `fieldmesh-console-client/1.2.0`. */
  readonly userAgent: string;
  /** The deployment carries out one request for each idempotency key, so a POST with a key may be repeated. */
  readonly trustIdempotencyKeys?: boolean | undefined;
  /** Every POST and DELETE carries an idempotency key, including those of `request`. @default false - only calls that receive one */
  readonly keyedWrites?: boolean | undefined;
  /** The transport of the client whose `withOptions` was called. */
  readonly parent?: { readonly connection: Connection } | undefined;
}

/** Checks the options of a client together, and collects what all of its calls have in common. Throws a TypeError that says what to write. */
export function connect(options: ClientOptions, init: TransportInit): Connection {
  const { service, credential, userAgent, trustIdempotencyKeys = false } = init;
  checkRuntime();
  if (credential !== undefined) checkCredential(credential);
  const base = checkBaseUrl(options.baseUrl, {
    hasCredential: credential !== undefined,
    allowInsecureHttp: options.allowInsecureHttp === true,
  });
  if (credential !== undefined) checkBrowser(base, { ...options, option: credential.option });
  const settings = readSettings(options, service);
  const server = base.href.replace(/\/$/, "");
  const withHeaders = (own?: SendOptions["headers"]): Headers =>
    mergeRequestHeaders({ userAgent, credential, layers: [options.headers, own] });
  return {
    base,
    service,
    credential,
    settings,
    trustIdempotencyKeys,
    headers: withHeaders(),
    withHeaders,
    shared: shareWith(init.parent?.connection.shared, { server, credential, settings, service }),
  };
}
