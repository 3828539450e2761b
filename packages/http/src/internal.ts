// What only our own packages need: not covered by semver. Do not import it, because any release may change it.
export * from "./index.ts";

// What the client packages are built from.
export { endpoint } from "./table/endpoint.ts";
export type { Endpoint, Route, Sample, SampleOf, Samples, Table } from "./table/row.ts";
export * from "./table/result.ts";
export { bind, bindClient } from "./client/bind.ts";
export type { Methods, OpenMethod, PageMethod } from "./client/methods.ts";
export type { As } from "./table/caller-schema.ts";
export { checkCallOptionNames } from "./options/call-options.ts";
export { warn } from "./options/logger.ts";
export type { Priority } from "./limit/queue.ts";
export type { QueryValue } from "./request/any-request.ts";
export { keepPlace } from "./errors/caller-place.ts";
export { mayBeAtWork } from "./errors/may-be-at-work.ts";
export { inputProblem } from "./errors/input-error.ts";
export { STATUS } from "./errors/statuses.ts";
export { checkCount } from "./pager/pager-options.ts";
export { outlast } from "./send/keep-trying.ts";
export { spread } from "./limit/spread.ts";
export { untilAborted, type Fence } from "./wire/deadline.ts";
export { createTransport, type Transport } from "./client/transport.ts";
export type { TransportInit } from "./client/connect.ts";
export { readAgain } from "./client/read-again.ts";
export type { EachOptions, RecordList } from "./client/each-record.ts";
export { clientTable } from "./options/client-options.ts";
export type { Service } from "./options/service.ts";
export { createShowText, type ShowText } from "./errors/show-text.ts";
export { showTextOf } from "./response/with-response.ts";
export { orLookUp, type LookUp } from "./response/or-look-up.ts";
export type { FetchFunction, FetchInit } from "./wire/fetch-attempt.ts";
export type { RawResponse } from "./wire/read-body.ts";
export { responseSchema } from "./response/decode.ts";
export { encodeInput } from "./request/write-request.ts";
export { LONGEST_PAUSE, readHttpDate, readRateLimit } from "./wire/hint.ts";

export { OBSERVED_ADVICE } from "./request/write-request.ts";
export { OWN_MESSAGES_ONLY, toProblems } from "./errors/problem.ts";
