import * as z from "zod/mini";
import { record, type SchemaOf } from "@fieldmesh/core/schema";
import { consoleFields } from "./console-uplink.ts";
import { positionFields } from "./fields.ts";
import { networkServerFields, type NetworkServerSubmission } from "./network-server-uplink.ts";

const consoleSubmissionFields = record({
  ...consoleFields,
  decoded: record({ payload: positionFields, status: z.nullish(z.string()) }),
});

/** The standard uplink of the console, with the position in `decoded.payload`. */
export interface ConsoleSubmission extends z.output<typeof consoleSubmissionFields> {}

/** An uplink in one of the two forms that the map accepts. */
export type UplinkSubmission = ConsoleSubmission | NetworkServerSubmission;

const forms = z.union([networkServerFields, consoleSubmissionFields]);
export const UplinkSubmission: SchemaOf<UplinkSubmission, typeof forms> = forms;
