import * as z from "zod/mini";
import { record, type SchemaOf } from "@fieldmesh/core/schema";
import { consoleFields } from "./console-uplink.ts";
import { openPosition, positionFields } from "./fields.ts";
import type { NetworkServerSubmission } from "./network-server-uplink.ts";

const consoleSubmissionFields = record({
  ...consoleFields,
  decoded: record({ payload: positionFields, status: z.nullish(z.string()) }),
});

/** The standard uplink of the console, with the position in `decoded.payload`. */
export interface ConsoleSubmission extends z.output<typeof consoleSubmissionFields> {}

const openForms = z.union([
  z.looseObject({ object: openPosition }),
  z.looseObject({ decoded: z.looseObject({ payload: openPosition }) }),
]);

/** An uplink of any network server, with the position in `object` or in `decoded.payload`. */
export type OpenSubmission = z.output<typeof openForms>;

/** An uplink that the map accepts; what running deployments require beyond the position is what {@link check} asks for. */
export type UplinkSubmission = ConsoleSubmission | NetworkServerSubmission | OpenSubmission;
export const UplinkSubmission: SchemaOf<UplinkSubmission, typeof openForms> = openForms;
