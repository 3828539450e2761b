export { createMapperClient, type MapperClient, type MapperClientOptions } from "./client.js";
export type { IngestResult, Mapper } from "./mapper.js";
export { check } from "./check.js";
export { FIELDS, type MappingField, type Position } from "./fields.js";
export { fromConsoleUplink, type BuildOptions, type MappingResult } from "./from-console-uplink.js";
export { fromNetworkServer } from "./from-network-server.js";
export { ALIASES, METERS_PER_HDOP, type FieldPaths } from "./build-position.js";
export type { ConsoleSubmission, UplinkSubmission } from "./submission.js";
export type { NetworkServerSubmission } from "./network-server-uplink.js";
export {
  createForwarder,
  type Forwarder,
  type ForwarderOptions,
  type ForwardReport,
} from "./forwarder.js";
export type { IntegrationHeader, IntegrationOptions } from "./read-integration.js";
export { MapperRejectedError, isMapperRejectedError } from "./mapper-rejected-error.js";

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
