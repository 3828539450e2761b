export { createConsoleClient, type ConsoleClient, type ConsoleClientOptions } from "./client.ts";

export type { Organization, OrganizationResource } from "./organization.ts";
export type { Devices } from "./devices.ts";
export type { CreateDeviceOptions, DeviceCreation } from "./create-device.ts";
export type { DeviceStream } from "./each-device.ts";
export type { EventFollower, EventGap, FollowEventsOptions } from "./follow/follow-types.ts";
export type { EventsCheckpoint } from "./follow/checkpoint.ts";
export type { EachOptions } from "@fieldmesh/http/internal";
export type {
  BulkOptions,
  BulkProgress,
  BulkResults,
  RunProgress,
  CreatedResult,
  CreateManyOptions,
  CreateManyReport,
  CreateManyRun,
  CreateResult,
  CreateResultFields,
  FailedResult,
  SkippedResult,
  UnknownResult,
} from "./bulk/run/bulk-types.ts";
export type {
  ChangeManyOptions,
  ChangeManyReport,
  ChangeManyRun,
  ChangeProgress,
  ChangeResult,
  ChangeResultFields,
  ChangeResults,
  DoneChange,
  FailedChange,
  UnknownChange,
} from "./bulk/run/change-types.ts";
export type { BulkChanges, Inputs } from "./bulk/change-many.ts";
export type { BulkCreation } from "./bulk/create-many.ts";
export { BulkChangeError, BulkError, type RunError } from "./bulk/run/bulk-error.ts";
export { LeaseLostError } from "./bulk/run/lease-lost-error.ts";
export { openJob, splitJob, type JobSplit, type SplitJobOptions } from "./jobs/split-job.ts";
export { mergeReports, reportOfJob } from "./jobs/merge-reports.ts";
export type { DeviceJob, JobKey, JobManifest, JobReport, MergedReport } from "./jobs/job-types.ts";
export type { BulkLease, LeaseStore } from "./bulk/run/lease-types.ts";
export type { ChunkMessage } from "@fieldmesh/core";
export type { BulkCheckpoint } from "./bulk/run/checkpoint.ts";
export type {
  ChangedDevice,
  CreatedDevice,
  Device,
  DeviceBatch,
  DeviceDescriptor,
  DeviceLabel,
  FailedDevice,
  FoundDevice,
  NewDevice,
} from "./device.ts";
export {
  isConfirmedUplinkEvent,
  isIntegrationEvent,
  isObservedEvent,
  isUplinkEvent,
  type ConfirmedUplinkEvent,
  type DeviceEvent,
  type EventHotspot,
  type IntegrationEvent,
  type ObservedDeviceEvent,
  type OtherDeviceEvent,
  type UnconfirmedUplinkEvent,
  type UplinkEvent,
} from "./device-event.ts";
export { isUplinkBody, type UplinkBody } from "./uplink-body.ts";
export type { Labels } from "./labels.ts";
export type { ChangedLabel, Label, ListedLabel, NewLabel } from "./label.ts";
export type { IntegrationCreation } from "./create-integration.ts";
export type { Integrations } from "./integrations.ts";
export type {
  Credentials,
  CreatedIntegration,
  DeletedIntegration,
  Integration,
  NewCloudAIntegration,
  NewCloudBIntegration,
  NewIntegration,
  NewHttpIntegration,
  NewMqttIntegration,
  NewPrebuiltIntegration,
} from "./integration.ts";
export type { Flow, Flows, NewFlow } from "./flows.ts";
export type { CreatedFlow } from "./created-flow.ts";
export { parseUtc } from "./utc.ts";

// Listed by hand nevertheless: the file behind this star names each export that the clients share.
export * from "@fieldmesh/http";
