import { isRecord, parseJson, recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";
import type { UplinkForm } from "./message-forms.ts";

/** An uplink in the form of ChirpStack v4, with the place of its decoded payload in the message. */
export interface ReadForm {
  readonly message: AnyRecord;
  /** Where the message has its decoded payload, for problems. */
  readonly path: string;
  readonly changes: readonly string[];
}

/** Converts ChirpStack v3 and The Things Stack v3 to the form of ChirpStack v4 (observed), with only what the public map needs. */
export function readForm(form: UplinkForm, message: AnyRecord): ReadForm | Problem {
  if (form === "uplink of The Things Stack v3") return fromThingsStack(message);
  if (form === "uplink of ChirpStack v3") return fromChirpStack3(message);
  return { message, path: "object", changes: [] };
}

function fromThingsStack(message: AnyRecord): ReadForm {
  const ids = recordOf(message["end_device_ids"]);
  const uplink = recordOf(message["uplink_message"]);
  const settings = recordOf(uplink["settings"]);
  const rate = recordOf(settings["data_rate"]);
  const { lora } = rate;
  return {
    path: "uplink_message.decoded_payload",
    changes: ["the form of The Things Stack v3 was converted"],
    message: {
      deviceInfo: { devEui: ids["dev_eui"], deviceName: ids["device_id"] },
      // The Things Stack leaves out numbers that are 0.
      fCnt: uplink["f_cnt"] ?? 0,
      fPort: uplink["f_port"],
      time: message["received_at"] ?? uplink["received_at"],
      txInfo: {
        frequency: toNumber(settings["frequency"]),
        modulation: isRecord(lora)
          ? { lora: { spreadingFactor: lora["spreading_factor"], bandwidth: lora["bandwidth"] } }
          : rate,
      },
      rxInfo: listOf(uplink["rx_metadata"]).map((each) => ({
        gatewayId: recordOf(each["gateway_ids"])["gateway_id"],
        rssi: each["rssi"] ?? each["channel_rssi"],
        snr: each["snr"] ?? 0,
        time: each["time"] ?? each["received_at"],
        location: each["location"],
      })),
      object: uplink["decoded_payload"],
    },
  };
}

function fromChirpStack3(message: AnyRecord): ReadForm | Problem {
  const txInfo = recordOf(message["txInfo"]);
  const lora = txInfo["loRaModulationInfo"];
  const text = message["objectJSON"];
  // Without a codec, it is empty.
  const isText = typeof text === "string" && text !== "" && message["object"] == null;
  const object = isText ? parsed(text) : message["object"];
  if (isText && object === undefined)
    return { path: "objectJSON", message: "is not JSON: correct the codec" };
  return {
    path: typeof text === "string" && message["object"] == null ? "objectJSON" : "object",
    changes: ["the form of ChirpStack v3 was converted"],
    message: {
      deviceInfo: { devEui: toHex(message["devEUI"]), deviceName: message["deviceName"] },
      fCnt: message["fCnt"] ?? 0,
      fPort: message["fPort"],
      time: message["publishedAt"],
      txInfo: {
        frequency: txInfo["frequency"],
        ...(isRecord(lora) ? { modulation: { lora: readLora(lora) } } : otherOf(txInfo)),
      },
      rxInfo: listOf(message["rxInfo"]).map((each) => ({
        gatewayId: toHex(each["gatewayID"]),
        rssi: each["rssi"],
        snr: each["loRaSNR"] ?? 0,
        time: each["time"],
        location: each["location"],
        ...(typeof each["name"] === "string" && { metadata: { gateway_name: each["name"] } }),
      })),
      object,
    },
  };
}

function readLora({ spreadingFactor, bandwidth }: AnyRecord): AnyRecord {
  return { spreadingFactor, bandwidth: toHertz(bandwidth) };
}

/** Without the parameters of LoRa, the modulation is another one, or the marshaler is `json_v3`. */
function otherOf({ modulation, dr }: AnyRecord): AnyRecord {
  return { modulation: typeof modulation === "string" ? { [modulation]: {} } : {}, dr };
}

function listOf(value: unknown): AnyRecord[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The Things Stack writes the frequency in Hz as a string. */
function toNumber(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
}

const HERTZ = 1_000;

/** ChirpStack v3 writes the bandwidth in kHz. */
function toHertz(value: unknown): unknown {
  return typeof value === "number" && value < HERTZ ? value * HERTZ : value;
}

/** Returns the EUI of the device, in the form of any network server. */
export function euiOf(message: unknown): string | undefined {
  const { dev_eui, devEUI, deviceInfo, end_device_ids, hardware_serial } = recordOf(message);
  const { devEui } = recordOf(deviceInfo);
  const eui =
    dev_eui ?? devEui ?? toHex(devEUI) ?? recordOf(end_device_ids)["dev_eui"] ?? hardware_serial;
  return typeof eui === "string" ? eui : undefined;
}

/** ChirpStack v3 writes an EUI in base64, or in hexadecimal digits. */
function toHex(value: unknown): unknown {
  if (typeof value !== "string" || !/^[A-Za-z0-9+/]{11}=$/.test(value)) return value;
  return Array.from(atob(value), (each) => each.charCodeAt(0).toString(16).padStart(2, "0")).join(
    "",
  );
}
