import * as z from "zod/mini";
import { secretInput } from "@fieldmesh/core/schema";

/** An id of the console: a UUID as text. Any version is accepted, because deployments differ. */
export const id = z.guid("is not a UUID");

/** The most devices in one bulk create. */
export const MAX_BATCH = 1_000;

const EUI_DIGITS = 16;
const KEY_DIGITS = 32;
const MAX_DEVICE_NAME = 52;
const MAX_NAME = 50;

/** A `dev_eui` or `app_eui` that is sent: 16 hexadecimal digits, in any case; the console keeps them upper-case. */
export const euiInput = z.codec(
  z.string().check(z.regex(hexadecimal(EUI_DIGITS), `must be ${EUI_DIGITS} hexadecimal digits`)),
  z.string(),
  {
    decode: (eui) => eui,
    encode: (eui) => eui.toUpperCase(),
  },
);

/** An `app_key` that is sent: 32 hexadecimal digits, as text or as a Secret. */
export const appKeyInput = secretInput(
  z.string().check(z.regex(hexadecimal(KEY_DIGITS), `must be ${KEY_DIGITS} hexadecimal digits`)),
  (key) => key.toUpperCase(),
);

/** The name of a device: 1 to 52 characters (not in the published spec; running deployments do it). */
export const deviceName = name(MAX_DEVICE_NAME);

/** The name of a label: 1 to 50 characters (not in the published spec; running deployments do it). */
export const labelName = name(MAX_NAME);

/** The name of an integration: 1 to 50 characters (not in the published spec; running deployments do it). */
export const integrationName = name(MAX_NAME);

/** The date of a stamp of the console, which has no zone and is UTC. */
export const stamp = z.iso.datetime({ local: true, offset: true });

/** Counted in code points, as the console counts: an emoji is one character of a name and two of a JavaScript string. */
function name(longest: number): z.ZodMiniString<string> {
  const message = `must have at most ${longest} characters`;
  return z.string().check(
    z.minLength(1, "must not be empty"),
    ({ value, issues }) => {
      if (value.length <= longest || Array.from(value).length <= longest) return;
      issues.push({ code: "too_big", origin: "string", maximum: longest, input: value, message });
    },
    // For JSON Schema, which counts code points too.
    z.meta({ maxLength: longest }),
  );
}

function hexadecimal(digits: number): RegExp {
  return new RegExp(`^[0-9A-Fa-f]{${digits}}$`);
}

/** A response that the spec does not show: a record is read, anything else (a string, nothing) becomes an empty record. */
export function undocumented<S extends z.core.$ZodType>(
  schema: S,
): z.core.$ZodType<z.output<S>, z.input<S>> {
  return z.codec(z.custom<z.input<S>>(), schema, {
    decode: (value) => (typeof value === "object" && value !== null ? value : {}) as z.input<S>,
    encode: (value) => value,
  }) as unknown as z.core.$ZodType<z.output<S>, z.input<S>>;
}
