import type * as z from "@fieldmesh/core/internal/zod";
import { hashText } from "@fieldmesh/core/internal";
import { encodeInput } from "@fieldmesh/http/internal";
import { NewDevice } from "../../device.ts";
import { invalidOf, validId } from "../run/chunks.ts";
import { pairOf, tripleOf } from "../look/shown-devices.ts";
import type { PendingDevice } from "../look/pending-device.ts";
import type { AnyResult } from "../run/run-parts.ts";

/** Checks a device of the input. */
export function readDevice(
  device: unknown,
  index: number,
  observedRules: boolean,
): PendingDevice | AnyResult {
  const encoded = encodeInput(NewDevice, device, observedRules);
  if (!("problems" in encoded)) {
    const sent = encoded.output as z.input<typeof NewDevice>;
    const { dev_eui, app_eui: _appEui, app_key: _appKey, ...rest } = sent;
    const key = tripleOf(sent);
    return {
      index,
      // Copied: the source may reuse the object for its next device before this one is sent.
      device: encoded.output as NewDevice,
      identity: { index, dev_eui: dev_eui.toUpperCase() },
      pair: pairOf(sent),
      key,
      content: JSON.stringify([hashText(key), rest]),
    };
  }
  const { problems } = encoded;
  return invalidOf(
    { index, dev_eui: validId(device, "dev_eui", problems)?.toUpperCase() },
    problems,
  );
}
