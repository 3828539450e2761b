export {
  createSandbox,
  type ConsoleService,
  type Sandbox,
  type SandboxOptions,
  type SandboxService,
} from "./sandbox.js";
export { startSandbox, type RunningSandbox, type StartOptions } from "./start-sandbox.js";

export type { ConsoleOptions } from "./console/console.js";
export type { NewUplink, SentUplink } from "./console/send-uplink.js";
export type { IntegrationDelivery } from "./console/deliver-uplink.js";
export { hostedDeployment, specDeployment, type ConsoleDeployment } from "./console/deployment.js";
export type {
  ConsoleState,
  DeviceRecord,
  DeviceStore,
  Euis,
  LabelRecord,
  OrganizationRecord,
} from "./console/state.js";

export { ledgerFaults } from "./ledger/refusals.js";
export type { LedgerOptions, LedgerState } from "./ledger/ledger-state.js";
export type { BlockRecord, Chain } from "./ledger/chain.js";
export type { MobileOptions, MobileRecord, MobileState } from "./mobile/mobile-state.js";
export type { MappedUplink, MapperOptions, MapperState } from "./mapper/mapper.js";
export type { Texts } from "./ledger/texts.js";

export type { EmitOptions, Webhooks } from "./webhooks/webhooks.js";
export type { EndpointOptions, EndpointRecord } from "./webhooks/endpoint.js";
export type { AttemptRecord, DeliveryRecord, Disturbance } from "./webhooks/delivery.js";
export type { StoredEvent } from "./webhooks/event-copies.js";

export type {
  DelayFault,
  Fault,
  GarbageFault,
  LostFault,
  ResetFault,
  StatusFault,
  TruncateFault,
} from "./faults/fault.js";
export type {
  FaultKind,
  FaultName,
  FaultRate,
  FaultRule,
  FaultScript,
  FaultTarget,
} from "./faults/fault-script.js";
export type { LoggedRequest, RequestLog } from "./request-log.js";
export type { InProcessFetch } from "./in-process-fetch.js";

export {
  serve,
  type Handler,
  type Implementation,
  type RowHandler,
  type ServeOptions,
} from "./serve.js";
export type { Call, CallHandler, Layer } from "./call.js";
export type { Misfit } from "./read-input.js";
export type { Tables } from "./router.js";

export { createVirtualClock, systemClock, type Clock, type VirtualClock } from "@fieldmesh/core";
