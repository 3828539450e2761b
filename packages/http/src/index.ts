// What the client packages are built from.
export { endpoint } from "./table/endpoint.ts";
export type { Endpoint, Route, Table } from "./table/row.ts";
export {
  data,
  kindOf,
  page,
  text,
  type DataResult,
  type PageFacts,
  type PageResult,
  type PartsByTime,
  type Result,
  type TextResult,
  type TimedPageResult,
} from "./table/result.ts";
export { bind } from "./table/bind.ts";
export { walkInParallel } from "./pager/parallel/walk-in-parallel.ts";
export type { Methods, OpenMethod, PageMethod } from "./table/methods.ts";
export { checkCallOptionNames } from "./options/call-options.ts";
export { checkPriority } from "./limit/line.ts";
export { checkCount } from "./pager/pager-options.ts";
export { outlast } from "./send/keep-trying.ts";
export { spread } from "./send/spread.ts";
export { untilAborted } from "./send/until-aborted.ts";
export { createTransport, type Transport, type TransportInit } from "./transport.ts";
export { bindClient } from "./bind-client.ts";
export type { Service } from "./options/service.ts";
export type { ShowText } from "./errors/show-text.ts";
export { showTextOf } from "./response/with-response.ts";
export type { RawResponse, FetchFunction, FetchInit } from "./send/fetch-attempt.ts";
export { responseSchema } from "./response/decode.ts";
export type { CompileSchema } from "./response/response-to-decode.ts";
export { encodeInput } from "./request/encode-input.ts";
export { readRetryAfter } from "./send/retry-after.ts";

export { OBSERVED_ADVICE } from "./request/encode-input.ts";
export { OWN_MESSAGES_ONLY, toProblems } from "./errors/problem.ts";

export * from "./user.ts";
