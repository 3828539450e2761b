export { createMapperClient, type MapperClient, type MapperClientOptions } from "./client.ts";
export type { IngestResult, Mapper } from "./mapper.ts";
export { check } from "./check.ts";
export { FIELDS, type MappingField, type Position } from "./fields.ts";
export { fromConsoleUplink, type BuildOptions, type MappingResult } from "./from-console-uplink.ts";
export { fromNetworkServer } from "./from-network-server.ts";
export { ALIASES, METERS_PER_HDOP, type FieldPaths } from "./build-position.ts";
export type { ConsoleSubmission, UplinkSubmission } from "./submission.ts";
export type { NetworkServerSubmission } from "./network-server-uplink.ts";
export {
  createForwarder,
  type Forwarder,
  type ForwarderOptions,
  type ForwardReport,
} from "./forwarder.ts";
export type { IntegrationHeader, IntegrationOptions } from "./read-integration.ts";
export { MapperRejectedError, isMapperRejectedError } from "./mapper-rejected-error.ts";

export { parseJson, stringifyJson } from "@fieldmesh/core";
export {
  AbortError,
  ApiError,
  ConnectionError,
  InputError,
  ResponseValidationError,
  TimeoutError,
  isAbortError,
  isApiError,
  isCallError,
  isConnectionError,
  isInputError,
  isResponseValidationError,
  isTimeoutError,
  withResponse,
  type Attempt,
  type CallOptions,
  type ClientOptions,
  type Drift,
  type Hooks,
  type Outcome,
  type Problem,
  type RetryOptions,
  type WithResponse,
} from "@fieldmesh/http";
