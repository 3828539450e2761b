export { createConsoleClient, type ConsoleClient, type ConsoleClientOptions } from "./client.js";

export type { Organization, OrganizationResource } from "./organization.js";
export type { Devices } from "./devices.js";
export { MAX_BATCH } from "./fields.js";
export type {
  BulkProgress,
  CreatedResult,
  CreateManyOptions,
  CreateManyReport,
  CreateManyRun,
  CreateResult,
  FailedResult,
  UnknownResult,
} from "./bulk/bulk-types.js";
export type { BulkCheckpoint } from "./bulk/checkpoint.js";
export type {
  ChangedDevice,
  CreatedDevice,
  Device,
  DeviceBatch,
  DeviceDescriptor,
  DeviceLabel,
  FailedDevice,
  NewDevice,
} from "./device.js";
export {
  isIntegrationEvent,
  isUplinkBody,
  isUplinkEvent,
  type DeviceEvent,
  type EventHotspot,
  type IntegrationEvent,
  type OtherDeviceEvent,
  type UplinkBody,
  type UplinkEvent,
} from "./device-event.js";
export type { Labels } from "./labels.js";
export type { ChangedLabel, Label, NewLabel } from "./label.js";
export type { Integrations } from "./integrations.js";
export type {
  Credentials,
  Integration,
  NewCloudAIntegration,
  NewCloudBIntegration,
  NewIntegration,
  NewHttpIntegration,
  NewMqttIntegration,
  NewPrebuiltIntegration,
} from "./integration.js";
export type { Flow, Flows, NewFlow } from "./flows.js";
export type { CreatedFlow } from "./flow-answer.js";
export { parseUtc } from "./utc.js";

export { isSecret, Secret, stringifyJson } from "@fieldmesh/core";
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
