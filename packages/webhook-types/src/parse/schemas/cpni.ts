import * as z from "zod/mini";
import type { CpniEvents } from "../../catalog/cpni.ts";
import {
  once,
  count,
  data,
  open,
  openEnum,
  resource,
  secret,
  sensitive,
  text,
  type Rows,
} from "./fields.ts";

const agent = () => open({ user_id: z.string(), email: sensitive("personal", z.string()) });

const verificationFields = () => ({
  object: openEnum("cpni_verification"),
  id: z.string(),
  subscriber_id: z.string(),
  agent: agent(),
  expires_at: text(),
  grant_duration_seconds: count(),
  status: z.nullish(openEnum("verified")),
});
const requestedVerification = () =>
  open({
    ...verificationFields(),
    code: z.optional(secret()),
    expires_at: z.string(),
    grant_duration_seconds: z.number(),
  });
const submittedVerification = once(() =>
  open({ ...verificationFields(), submitted_by: z.optional(agent()) }),
);
const escalation = once(() => resource({ reason: text() }));

export const cpniRows = {
  "cpni.verification.requested": () => data(requestedVerification()),
  "cpni.verification.succeeded": () => data(submittedVerification()),
  "cpni.verification.failed": () => data(submittedVerification()),
  "cpni.escalation.requested": () => data(escalation()),
  "cpni.escalation.approved": () => data(escalation()),
  "cpni.escalation.denied": () => data(escalation()),
} satisfies Rows<CpniEvents>;
