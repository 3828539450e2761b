export {
  createSandbox,
  type ConsoleService,
  type Sandbox,
  type SandboxService,
} from "./sandbox/sandbox.ts";
export type { SandboxOptions } from "./sandbox/sandbox-options.ts";

export type { ConsoleOptions } from "./console/console.ts";
export type { NewUplink, SentUplink } from "./console/uplinks/send-uplink.ts";
export type { IntegrationDelivery } from "./console/uplinks/deliver-uplink.ts";
export type { ConsoleDeployment } from "./console/state/deployment.ts";
export type { Deployment } from "./serve/deployment.ts";
export type { ConsoleState, DeviceRecord, LabelRecord } from "./console/state/state.ts";

export { ledgerFaults } from "./ledger/errors.ts";
export type { LedgerOptions, LedgerState } from "./ledger/ledger-state.ts";
export type { MobileOptions, MobileRecord, MobileState } from "./mobile/mobile-state.ts";
export type { MappedUplink, MapperOptions, MapperState } from "./mapper/mapper.ts";

export type { EmitOptions, Webhooks } from "./webhooks/webhooks.ts";
export type { EndpointOptions, EndpointRecord } from "./webhooks/endpoint.ts";
export type { AttemptRecord, DeliveryRecord } from "./webhooks/delivery.ts";
export type { StoredEvent } from "./webhooks/event-copies.ts";

export type {
  DelayFault,
  Fault,
  GarbageFault,
  LostFault,
  ResetFault,
  StaleFault,
  StatusFault,
  TruncateFault,
} from "./serve/fault.ts";
export type {
  FaultKind,
  FaultName,
  FaultRate,
  FaultRule,
  FaultScript,
  FaultTarget,
} from "./faults/fault-script.ts";

export { systemClock, type Clock } from "@fieldmesh/core";
export { createVirtualClock, type VirtualClock } from "./time/clocks.ts";
export {
  createSteerableClock,
  type SteerableClock,
  type SteerableClockOptions,
} from "./time/clocks.ts";
export type { Snapshot } from "./services/snapshot.ts";
