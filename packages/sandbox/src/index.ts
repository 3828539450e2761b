export {
  createSandbox,
  type ConsoleService,
  type Sandbox,
  type SandboxOptions,
  type SandboxService,
} from "./sandbox.ts";
export { startSandbox, type RunningSandbox, type StartOptions } from "./start-sandbox.ts";

export type { ConsoleOptions } from "./console/console.ts";
export type { NewUplink, SentUplink } from "./console/send-uplink.ts";
export type { IntegrationDelivery } from "./console/deliver-uplink.ts";
export { hostedDeployment, specDeployment, type ConsoleDeployment } from "./console/deployment.ts";
export type {
  ConsoleState,
  DeviceRecord,
  DeviceStore,
  Euis,
  LabelRecord,
  OrganizationRecord,
} from "./console/state.ts";

export { ledgerFaults } from "./ledger/refusals.ts";
export type { LedgerOptions, LedgerState } from "./ledger/ledger-state.ts";
export type { BlockRecord, Chain } from "./ledger/chain.ts";
export type { MobileOptions, MobileRecord, MobileState } from "./mobile/mobile-state.ts";
export type { MappedUplink, MapperOptions, MapperState } from "./mapper/mapper.ts";
export type { Texts } from "./ledger/texts.ts";

export type { EmitOptions, Webhooks } from "./webhooks/webhooks.ts";
export type { EndpointOptions, EndpointRecord } from "./webhooks/endpoint.ts";
export type { AttemptRecord, DeliveryRecord, Disturbance } from "./webhooks/delivery.ts";
export type { StoredEvent } from "./webhooks/event-copies.ts";

export type {
  DelayFault,
  Fault,
  GarbageFault,
  LostFault,
  ResetFault,
  StatusFault,
  TruncateFault,
} from "./faults/fault.ts";
export type {
  FaultKind,
  FaultName,
  FaultRate,
  FaultRule,
  FaultScript,
  FaultTarget,
} from "./faults/fault-script.ts";
export type { LoggedRequest, RequestLog } from "./request-log.ts";
export type { InProcessFetch } from "./in-process-fetch.ts";

export {
  serve,
  type Handler,
  type Implementation,
  type RowHandler,
  type ServeOptions,
} from "./serve.ts";
export type { Call, CallHandler, Layer } from "./call.ts";
export type { Misfit } from "./read-input.ts";
export type { Tables } from "./router.ts";

export { createVirtualClock, systemClock, type Clock, type VirtualClock } from "@fieldmesh/core";
