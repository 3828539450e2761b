import type { CpniEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const verification = {
  object: "cpni_verification",
  id: "cpv_01JD3YX9Y2",
  subscriber_id: "sub_01JD3Y7Q4W8TQ2",
  agent: { user_id: "usr_01JD3YY3A5", email: "grace@support.example.com" },
  expires_at: "2026-11-20T08:40:00Z",
  grant_duration_seconds: 1_800,
};
const submitted_by = { user_id: "usr_01JD3YZ7C8", email: "joan@support.example.com" };
const escalation = { id: "cpe_01JD3Z01E4" };

export const cpniSamples: Samples<CpniEvents> = {
  "cpni.verification.requested": { object: { ...verification, code: "493817" } },
  "cpni.verification.succeeded": { object: { ...verification, status: "verified", submitted_by } },
  "cpni.verification.failed": { object: verification },
  "cpni.escalation.requested": { object: { ...escalation, reason: "subscriber lost the phone" } },
  "cpni.escalation.approved": { object: escalation },
  "cpni.escalation.denied": { object: escalation },
};
