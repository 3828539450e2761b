import * as z from "@fieldmesh/core/internal/zod";
import { record, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { statedFields } from "./console-uplink.ts";
import { openPosition, positionFields } from "./fields.ts";
import { networkServerFields, type NetworkServerSubmission } from "./network-server-uplink.ts";

export const consoleSubmissionFields = record({
  ...statedFields,
  /** What the decoder returned. */
  decoded: record({
    /** The position of the device. */
    payload: positionFields,
    /** The outcome of the decoder (observed). */
    status: z.nullish(z.string()),
  }),
});

/** The standard uplink of the console as the published spec lists it, with the position in `decoded.payload`. */
export interface ConsoleSubmission extends z.output<typeof consoleSubmissionFields> {}

const openForms = [
  z.looseObject({
    /** What the decoder of a network server returned: the position, beside other fields. */
    object: openPosition,
  }),
  z.looseObject({
    /** What the decoder returned. */
    decoded: z.looseObject({
      /** The position of the device, beside other fields. */
      payload: openPosition,
    }),
  }),
] as const;

/** An uplink of any network server, with the position in `object` or in `decoded.payload`. */
export type OpenSubmission = z.output<(typeof openForms)[number]>;

/** An uplink that the map accepts. {@link check} checks what running deployments require besides the position. */
export type UplinkSubmission = ConsoleSubmission | NetworkServerSubmission | OpenSubmission;

// The open forms accept everything that the others accept. The others exist for their fields.
const forms = z.union([networkServerFields, consoleSubmissionFields, ...openForms]);
export const UplinkSubmission: SchemaOf<UplinkSubmission, typeof forms> = forms;
