import type { DisputeEvents } from "../../catalog/dispute.ts";
import { once, data, resource, text, type Rows } from "./fields.ts";

const aDispute = once(() => resource({ status: text(), reason: text() }));

export const disputeRows = {
  "dispute.opened": () => data(aDispute()),
  "dispute.updated": () => data(aDispute()),
  "dispute.closed": () => data(aDispute()),
} satisfies Rows<DisputeEvents>;
