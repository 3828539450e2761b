export { createConsoleClient, type ConsoleClient, type ConsoleClientOptions } from "./client.js";

export type { OrganizationResource, Organization } from "./organization.js";
export {
  MAX_BATCH,
  type CreatedDevice,
  type Device,
  type DeviceBatch,
  type DeviceLabel,
  type Devices,
  type FailedDevice,
  type NewDevice,
} from "./devices.js";
export type { Label, Labels, NewLabel } from "./labels.js";
export { parseUtc } from "./utc.js";

export { isSecret, Secret } from "@fieldmesh/core";
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
