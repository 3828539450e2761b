import * as z from "@fieldmesh/core/internal/zod";
import { observed, secretInput } from "@fieldmesh/core/internal/schema";

/** An id of the console: a UUID string. Any version is accepted, because deployments differ. */
export const id = z.guid("is not a UUID");

/** The maximum number of devices in one bulk create. */
export const MAX_BATCH = 1_000;

const EUI_DIGITS = 16;
const KEY_DIGITS = 32;
const MAX_DEVICE_NAME = 52;
const MAX_NAME = 50;

// A string that the contract requires.
export const required = z.string().check(z.minLength(1, "must not be empty"));

const hexadecimal = z.string().check(z.regex(/^[0-9A-Fa-f]+$/, "must be hexadecimal digits"));

/** A `dev_eui` or `app_eui` that is sent: 16 hexadecimal digits, sent in upper case (observed). */
export const euiInput = eui(digits(EUI_DIGITS));

/** The `dev_eui` of a new device, which is not a placeholder (observed). */
export const newDevEuiInput = eui(
  digits(EUI_DIGITS).check(
    z.regex(/^(?!(?:0+|[Ff]+)$)/, "must not be a placeholder of zeros only or F only"),
  ),
);

/** An `app_key` that is sent, as text or as a Secret: 32 hexadecimal digits, sent in upper case (observed). */
export const appKeyInput = observed(
  secretInput(digits(KEY_DIGITS), (key) => key.toUpperCase()),
  secretInput(hexadecimal),
);

/** The name of a device: up to 52 characters (observed). */
export const deviceName = name(MAX_DEVICE_NAME);

/** The name of a label: up to 50 characters (observed). */
export const labelName = name(MAX_NAME);

/** The name of an integration: up to 50 characters (observed). */
export const integrationName = name(MAX_NAME);

/** The body of a request. A field that the contract does not list is rejected, unless a deployment needs it (observed). */
export function input<const Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strict> {
  return observed(z.strictObject(shape), z.looseObject(shape));
}

/** The body of a request that activates or deactivates devices. */
export const activation = input({
  /** `true` to activate, `false` to deactivate: the console drops the packets of an inactive device (observed). */
  active: z.boolean(),
});

/** The body of a request that attaches or removes a config profile. */
export const profileChange = input({
  /** The id of the config profile, a UUID; `null` removes the profile. */
  config_profile_id: z.nullable(id),
});

/** The date of a timestamp of the console, which has no zone and is UTC. */
export const stamp = z.iso.datetime({ local: true, offset: true });

/** Counts code points like the console: an emoji is one character of a name and two of a JavaScript string. */
function name(longest: number): z.ZodMiniString<string> {
  const message = `must have at most ${longest} characters`;
  return observed(
    required.check(
      ({ value, issues }) => {
        if (value.length <= longest || Array.from(value).length <= longest) return;
        issues.push({ code: "too_big", origin: "string", maximum: longest, input: value, message });
      },
      // For JSON Schema, which also counts code points.
      z.meta({ maxLength: longest }),
    ),
    required,
  );
}

function eui(form: z.ZodMiniString<string>) {
  return observed(
    z.codec(form, z.string(), { decode: (sent) => sent, encode: (sent) => sent.toUpperCase() }),
    hexadecimal,
  );
}

function digits(count: number): z.ZodMiniString<string> {
  return z
    .string()
    .check(z.regex(new RegExp(`^[0-9A-Fa-f]{${count}}$`), `must be ${count} hexadecimal digits`));
}
