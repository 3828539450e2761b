export { postgresMirror } from "./postgres-mirror.ts";
export { sqliteMirror } from "./sqlite-mirror.ts";
export type {
  Mirror,
  MirrorFinding,
  MirrorOptions,
  MirrorPlan,
  MirrorRepair,
  MirrorReport,
  StoredEvents,
  VerifyOptions,
} from "./mirror.ts";
export { type PersonalField, personalFields } from "@fieldmesh/webhook-types/internal/mirror";
