import {
  checkPromise,
  defaultValidation,
  fingerprint,
  hasMethod,
  type Schema,
  readInput,
} from "@fieldmesh/core/internal";
import type { PageSender } from "../pager/source.ts";
import {
  checkCallOptionNames,
  checkedInput,
  readCallOptions,
  type SendOptions,
} from "../options/call-options.ts";
import { inputProblem } from "../errors/input-error.ts";
import type { ClientOptions } from "../options/client-options.ts";
import { encodeAnyRequest, type AnyRequest } from "../request/any-request.ts";
import { encodeRequest, nameOfCall, type BoundRow } from "../request/request.ts";
import { outputOf, type CallResult } from "../response/with-response.ts";
import { deliver } from "../send/deliver.ts";
import type { Connection } from "../send/prepared-call.ts";
import type { Fence } from "../wire/deadline.ts";
import type { ClientMethods } from "./methods.ts";
import { connect, type TransportInit } from "./connect.ts";

/** A method without an input has its options first, so what a caller takes for them is in the place of the fence. */
const ONE_TOO_MANY = "there is one argument too many: the options are the last";

/** Sends the calls of one client. */
export interface Transport extends PageSender {
  /** Encodes, sends, retries and decodes. Every failure is an error of this package. */
  send(
    endpoint: BoundRow,
    input: unknown,
    options?: SendOptions,
    fence?: Fence,
  ): Promise<CallResult>;
  /** Sends a request that no row declares, in the same way as those of the rows. */
  readonly request: ClientMethods<unknown, unknown>["request"];
  /** What all calls of the client have in common. */
  readonly connection: Connection;
  /** A hash of the base URL. */
  readonly server: string;
}

/** Checks the options of a client and creates the transport of its methods. */
export function createTransport(options: ClientOptions, init: TransportInit): Transport {
  const connection = readInput("The options of a client", () => connect(options, init));
  const { base, shared, settings } = connection;
  const { observedRules } = settings;

  async function sendAny(request: AnyRequest, callOptions: SendOptions = {}): Promise<CallResult> {
    const { endpoint, wire, own } = readInput("An argument of request", () => {
      checkCallOptionNames("request", callOptions, ["idempotencyKey"]);
      const hasKey =
        callOptions?.idempotencyKey !== undefined ||
        (init.keyedWrites === true && ["POST", "DELETE"].includes(request?.method));
      const encoded = encodeAnyRequest(request, base, { hasKey });
      return { ...encoded, own: ownOptions(encoded.endpoint, callOptions, request.schema) };
    });
    return await deliver(connection, { endpoint, request: wire }, own);
  }

  const server = fingerprint(shared.server);
  return {
    connection,
    server,
    reportDrift(context, problems) {
      const { validation = defaultValidation() } = settings;
      if (validation !== "off")
        settings.reportDrift(context, problems, { warn: validation === "warn", once: true });
    },
    async send(endpoint, input, callOptions = {}, fence?) {
      if (fence !== undefined && !hasMethod(fence, "timeLeft"))
        throw inputProblem(nameOfCall(endpoint), "", ONE_TOO_MANY);
      const own = ownOptions(endpoint, callOptions);
      const request = checkedInput(nameOfCall(endpoint), "", () =>
        encodeRequest(endpoint, base, input, { ...own, observedRules }),
      );
      return await deliver(connection, { endpoint, request, fence }, own);
    },
    request(request, callOptions) {
      return outputOf(sendAny(request, callOptions)) as Promise<never>;
    },
    identify(endpoint, input, query) {
      const { url, query: sent } = checkedInput(nameOfCall(endpoint), "", () =>
        encodeRequest(endpoint, base, input, { query, observedRules }),
      );
      const { cursor = "", ...filters } = sent;
      const [path = ""] = url.slice(shared.server.length).split("?");
      return { server, path: fingerprint(`${path} ${cursor}`), query: filters };
    },
  };
}

/** Copies and checks the options of a call. Reads the getters of the caller only here, where their errors become an InputError. */
export function ownOptions(
  endpoint: BoundRow,
  callOptions: SendOptions,
  schema?: Schema,
): SendOptions {
  // Other code may have replaced the global Promise since the client was created.
  checkPromise();
  return checkedInput(nameOfCall(endpoint), "options", () =>
    readCallOptions(schema === undefined ? callOptions : { ...callOptions, schema }),
  );
}
