import { isRecord, recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";

/** The name of an uplink: who sent it. */
export type UplinkForm = `uplink of ${
  | "the console"
  | "ChirpStack v3"
  | "ChirpStack v4"
  | "The Things Stack v3"
  | "The Things Network v2"
  | "ThingPark"
  | "another network server"}`;

/** The name of a message that an integration delivered. Only an {@link UplinkForm} is an uplink. */
export type MessageForm =
  | UplinkForm
  | `${"event" | "join"} of the console`
  | `${"join" | "status" | "ack" | "txack" | "log" | "error" | "location" | "integration" | "other"} event of ${"ChirpStack v3" | "ChirpStack v4"}`
  | `${"join accept" | "location" | "downlink event" | "service data" | "normalized uplink" | "event of the console"} of The Things Stack v3`
  | `event of ${"The Things Network v2" | "ThingPark"}`
  | "unknown message";

/** The fields that only one event of ChirpStack has (observed). The first event with one of them names the message. */
const CHIRPSTACK = {
  txack: ["downlinkId", "gatewayId", "gatewayID"],
  ack: ["acknowledged", "queueItemId"],
  error: ["error"],
  location: ["location"],
  log: ["level", "code", "description"],
  status: ["margin", "battery", "batteryLevel", "batteryLevelUnavailable", "externalPowerSource"],
  join: ["devAddr"],
} as const;

/** The fields of The Things Stack that hold an event (observed). A field begins with the name here. */
const THINGS_STACK = {
  uplink_message: "uplink",
  uplink_normalized: "normalized uplink",
  join_accept: "join accept",
  location_solved: "location",
  downlink_: "downlink event",
  service_data: "service data",
} as const;
type ThingsStackMessage = (typeof THINGS_STACK)[keyof typeof THINGS_STACK];

/** Names what a message is, by the fields that only this form has (observed). */
export function formOf(message: AnyRecord): MessageForm {
  const names = Object.keys(message).filter((name) => message[name] != null);
  const has = (...some: readonly string[]): boolean => some.some((name) => names.includes(name));
  if (has("category") && has("data", "sub_category")) return "event of the console";
  if (has("deviceInfo")) {
    const isUplink = has("rxInfo", "object", "data", "fPort", "fCnt");
    return chirpStackForm("ChirpStack v4", has, isUplink);
  }
  if (has("devEUI"))
    // A join of v3 has rxInfo, and some events have fCnt.
    return chirpStackForm("ChirpStack v3", has, has("object", "objectJSON", "data", "fPort"));
  if (has("end_device_ids")) {
    const rows = Object.entries(THINGS_STACK) as [string, ThingsStackMessage][];
    const row = rows.find(([field]) => names.some((name) => name.startsWith(field)));
    if (row !== undefined) return `${row[1]} of The Things Stack v3`;
  }
  if (has("identifiers") && has("data")) return "event of the console of The Things Stack v3";
  // Its activations have the `dev_eui` of the console's uplinks, and not their `devaddr`.
  const isActivation = has("dev_addr") && has("metadata") && !has("hotspots", "decoded", "object");
  if (has("dev_id", "hardware_serial") || isActivation)
    // A downlink event has a payload too.
    return has("payload_fields", "payload_raw") && has("hardware_serial", "counter", "metadata")
      ? "uplink of The Things Network v2"
      : "event of The Things Network v2";
  if (has("DevEUI_uplink")) return "uplink of ThingPark";
  if (names.some((name) => name.startsWith("DevEUI_"))) return "event of ThingPark";
  if (has("dev_eui", "hotspots"))
    // A join has the form of an uplink (observed).
    return message["type"] === "join" ? "join of the console" : "uplink of the console";
  if (isDecoded(message["object"])) return "uplink of another network server";
  if (has("decoded")) return "uplink of the console";
  return has("object") ? "uplink of another network server" : "unknown message";
}

function chirpStackForm(
  server: "ChirpStack v3" | "ChirpStack v4",
  has: (...some: readonly string[]) => boolean,
  isUplink: boolean,
): MessageForm {
  // This event has an object too.
  if (has("integrationName")) return `integration event of ${server}`;
  if (isUplink) return `uplink of ${server}`;
  const events = Object.entries(CHIRPSTACK) as [keyof typeof CHIRPSTACK, readonly string[]][];
  const [event] = events.find(([, fields]) => has(...fields)) ?? ["other" as const];
  return `${event} event of ${server}`;
}

/** Tells whether a form is that of an uplink. */
export function isUplinkForm(form: MessageForm): form is UplinkForm {
  return form.startsWith("uplink ");
}

/** Tells whether anything was decoded. */
export function isDecoded(value: unknown): value is AnyRecord {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Describes a message that is not an uplink, or whose form nothing reads. Returns `undefined` for any other. */
export function formProblem(form: MessageForm, message: AnyRecord): Problem | undefined {
  if (form === "unknown message") return problem(`is in no known form: ${adviceOnPart(message)}`);
  if (form === "uplink of ThingPark" || form === "uplink of The Things Network v2")
    return problem(
      `is an ${form}, whose form the map does not accept: build an uplink of the console from it, with dev_eui, fcnt, decoded.payload, and hotspots with lat, long and reported_at`,
    );
  if (form === "uplink of The Things Stack v3" && message["simulated"] === true)
    return problem(
      `is an ${form} that was simulated, so no gateway received it: leave it out, because the map shows only what was received`,
    );
  if (isUplinkForm(form)) return undefined;
  return problem(`is ${withArticle(form)}, not an uplink: ${adviceOn(form, message)}`);
}

function adviceOn(form: MessageForm, message: AnyRecord): string {
  if (form === "event of the console of The Things Stack v3") return "pass its data";
  if (form !== "event of the console")
    return "ignore it, because a server sends such messages to the same address as uplinks";
  const { body } = recordOf(recordOf(message["data"])["req"]);
  return isRecord(body)
    ? "pass the uplink in its data.req.body"
    : "only events of the sub-category uplink_integration_req have one, in data.req.body";
}

/** Programs in between often put the message into a field of their own. */
function adviceOnPart(message: AnyRecord): string {
  for (const [name, part] of Object.entries(message)) {
    const form = formOf(recordOf(part));
    if (form !== "unknown message" && /^\w{1,40}$/.test(name))
      return `pass its ${name}, which is ${withArticle(form)}`;
  }
  return "send the uplink as the integration delivered it";
}

function withArticle(form: MessageForm): string {
  if (form.startsWith("service data")) return form;
  return `${/^[aeiou]/.test(form) ? "an" : "a"} ${form}`;
}

function problem(message: string): Problem {
  return { path: "", message };
}
