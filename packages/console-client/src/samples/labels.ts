import type { Samples } from "@fieldmesh/http/internal";
import type { labels as rows } from "../labels.ts";
import { label_id } from "./records.ts";

const pumps = { id: label_id, name: "Pumps", multi_buy: 1 };

/** The examples of the endpoints of labels, in wire format. */
export const labels: Samples<typeof rows> = {
  list: { input: {}, output: [{ id: pumps.id, name: pumps.name }] },
  find: { input: { name: pumps.name }, output: pumps },
  get: { input: { label_id: pumps.id }, output: pumps },
  create: { input: { name: pumps.name }, output: pumps },
  delete: { input: { label_id: pumps.id }, output: "Label deleted" },
  setActive: { input: { label_id: pumps.id, active: false }, output: "Devices updated" },
  setConfigProfile: { input: { label_id: pumps.id, config_profile_id: null }, output: pumps },
};
