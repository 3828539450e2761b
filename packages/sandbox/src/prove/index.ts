export { proveReceiver, type Proof, type ProveOptions } from "./prove-receiver.ts";
export { ProofError } from "./proof-error.ts";
export type { Fault, FaultKind, Plan, PlannedEvent, Step } from "./plan.ts";
export type { Delivery, History, Invariant } from "./history.ts";
export type { Build, ShownRow, Subject } from "./subject.ts";
export type { Effect, Rows, World } from "./world.ts";
