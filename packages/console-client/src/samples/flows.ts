import type { Samples } from "@fieldmesh/http/internal";
import type { flows as rows } from "../flows.ts";
import { bare, label_id, organization_id } from "./records.ts";

const integration_id = bare.id;
const flow = {
  id: "7c1d9b52-0f6e-4a83-b0c9-2e5d8f7a6b14",
  integration_id,
  label_id,
  device_id: null,
  function_id: null,
  organization_id,
};

/** The examples of the endpoints of flows, in wire format. */
export const flows: Samples<typeof rows> = {
  list: { input: { integration_id }, output: [flow] },
  create: {
    input: { integration_id, label_id },
    output: {
      message: "Flow created",
      id: integration_id,
      name: "Data lake",
      labels: [{ id: label_id, name: "Pumps" }],
      devices: [],
    },
  },
  delete: { input: { flow_id: flow.id }, output: "Flow deleted" },
};
