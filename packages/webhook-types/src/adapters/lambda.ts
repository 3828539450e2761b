import { isRecord, mistake, requires, readInput } from "@fieldmesh/core/internal";
import {
  receiveOf,
  type RawMessage,
  type RawReceiver,
  type ReceiverResponse,
} from "./raw-message.ts";

/** The event from an API gateway of version 1 or 2, a function URL or a load balancer. */
export interface LambdaEvent {
  /** Set by version 1 and by load balancers. */
  readonly httpMethod?: string | undefined;
  /** Set by version 1 and by load balancers. */
  readonly path?: string | undefined;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** Set by load balancers with multi-value headers, instead of `queryStringParameters`. */
  readonly multiValueQueryStringParameters?:
    | Readonly<Record<string, readonly string[] | undefined>>
    | null
    | undefined;
  /** Set by version 2 and by function URLs. */
  readonly rawPath?: string | undefined;
  readonly rawQueryString?: string | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?:
    | Readonly<Record<string, readonly string[] | undefined>>
    | null
    | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  /** Version 2 has the method here, in `http.method`. */
  readonly requestContext?: object | undefined;
}

/** A response that API gateways, function URLs and load balancers accept. */
export interface LambdaResult {
  statusCode: number;
  statusDescription: string;
  headers: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  body: string;
  isBase64Encoded: false;
}

const LAMBDA_HINT =
  "The body of this event was parsed before it reached the webhook receiver. Pass the unchanged event of Lambda to the receiver, without a JSON body parser such as httpJsonBodyParser.";

/**
 * Serves a receiver as an AWS Lambda function, behind an API gateway of either version, a function URL or a load balancer.
 * Accepts bodies as strings or in base64.
 *
 * @example
 * ```ts
 * export const handler = toLambdaHandler(receive);
 * ```
 */
export function toLambdaHandler(
  receiver: RawReceiver,
): (event: LambdaEvent) => Promise<LambdaResult> {
  const receive = receiveOf(receiver);
  return async (event) => {
    const { isMultiValue, ...message } = readInput("The event", () => readEvent(event));
    return toResult(await receive(message), isMultiValue);
  };
}

function readEvent(event: LambdaEvent): RawMessage & { readonly isMultiValue: boolean } {
  if (!isRecord(event)) throw requires("The handler", "the event of a Lambda function", event);
  const { multiValueHeaders, headers, httpMethod, body, isBase64Encoded }: LambdaEvent = event;
  const context = event.requestContext as { http?: { method?: string } } | undefined;
  return {
    method: context?.http?.method ?? httpMethod,
    // In headers, version 1 has only the last value of a header that was sent twice.
    headers: { ...headers, ...multiValueHeaders },
    url: urlOf(event),
    body: async () => bodyOf({ body, isBase64Encoded }),
    isMultiValue: multiValueHeaders != null,
  };
}

function urlOf({ path, rawPath, rawQueryString, ...parameters }: LambdaEvent): string {
  const { multiValueQueryStringParameters: lists, queryStringParameters: strings } = parameters;
  const query = rawQueryString ?? String(new URLSearchParams(pairsOf(lists ?? strings)));
  return `${rawPath ?? path ?? ""}${query === "" ? "" : `?${query}`}`;
}

function pairsOf(parameters: object | null | undefined): [string, string][] {
  return Object.entries(parameters ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)]),
  );
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): string | Uint8Array {
  if (body == null) return "";
  if (typeof body !== "string") throw mistake(LAMBDA_HINT);
  return isBase64Encoded === true
    ? Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
    : body;
}

/** A load balancer with multi-value headers ignores `headers`. */
function toResult(
  { status, headers, body }: ReceiverResponse,
  isMultiValue: boolean,
): LambdaResult {
  const lists = Object.entries(headers).map(([name, value]) => [name, [value]]);
  return {
    statusCode: status,
    statusDescription: String(status),
    headers: { ...headers },
    ...(isMultiValue && { multiValueHeaders: Object.fromEntries(lists) }),
    body,
    isBase64Encoded: false,
  };
}
