export {
  createSandbox,
  type ConsoleService,
  type Sandbox,
  type SandboxService,
} from "./engine/sandbox.ts";
export { startSandbox, type RunningSandbox, type StartOptions } from "./server/start-sandbox.ts";

export type { ConsoleOptions } from "./engine/console/console.ts";
export type { NewUplink, SentUplink } from "./engine/console/uplinks/send-uplink.ts";
export type { IntegrationDelivery } from "./engine/console/uplinks/deliver-uplink.ts";
export {
  hostedDeployment,
  specDeployment,
  type ConsoleDeployment,
} from "./engine/console/state/deployment.ts";
export type {
  ConsoleState,
  DeviceRecord,
  DeviceStore,
  Euis,
  LabelRecord,
  OrganizationRecord,
} from "./engine/console/state/state.ts";

export { ledgerFaults } from "./engine/ledger/errors.ts";
export type { LedgerOptions, LedgerState } from "./engine/ledger/ledger-state.ts";
export type { BlockRecord, Chain } from "./engine/ledger/chain.ts";
export type { MobileOptions, MobileRecord, MobileState } from "./engine/mobile/mobile-state.ts";
export type { MappedUplink, MapperOptions, MapperState } from "./engine/mapper/mapper.ts";
export type { Texts } from "./engine/ledger/texts.ts";

export type { EmitOptions, Webhooks } from "./engine/webhooks/webhooks.ts";
export type { EndpointOptions, EndpointRecord } from "./engine/webhooks/endpoint.ts";
export type { AttemptRecord, DeliveryRecord, Disturbance } from "./engine/webhooks/delivery.ts";
export type { StoredEvent } from "./engine/webhooks/event-copies.ts";

export type {
  DelayFault,
  Fault,
  GarbageFault,
  LostFault,
  ResetFault,
  StaleFault,
  StatusFault,
  TruncateFault,
} from "./engine/faults/fault.ts";
export type {
  FaultKind,
  FaultName,
  FaultRate,
  FaultRule,
  FaultScript,
  FaultTarget,
} from "./engine/faults/fault-script.ts";
export type { LoggedRequest, RequestLog } from "./engine/request-log.ts";
export type { InProcessFetch } from "./engine/in-process-fetch.ts";

export {
  serve,
  type Handler,
  type Implementation,
  type RowHandler,
  type ServeOptions,
} from "./engine/serve.ts";
export type { Call, CallHandler, Layer } from "./engine/call.ts";
export type { Misfit } from "./engine/read-input.ts";
export type { Tables } from "./engine/router.ts";

export { systemClock, type Clock } from "@fieldmesh/core";
export { createVirtualClock, type VirtualClock } from "./engine/virtual-clock.ts";
export type { Connection } from "./engine/connection.ts";
export {
  toNodeListener,
  type NodeHandler,
  type NodeListenerOptions,
} from "./server/node-listener.ts";
export type { SandboxOptions } from "./engine/sandbox-options.ts";
