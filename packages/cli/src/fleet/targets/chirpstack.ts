import { revealText } from "@fieldmesh/core";
import { labelsTag, type Target } from "./target.ts";

/**
 * ChirpStack v4: a `CreateDeviceRequest` and a `CreateDeviceKeysRequest` for each device, in the JSON form of its API. The AppKey of a
 * LoRaWAN 1.0.x device is the `nwkKey` there; `appKey` is for LoRaWAN 1.1.
 */
export const chirpstack: Target = {
  required: ["application_id", "device_profile_id"],
  loses: () => undefined,
  write(device, { application_id, device_profile_id }) {
    const devEui = device.dev_eui.toLowerCase();
    return [
      {
        device: {
          devEui,
          name: device.name,
          applicationId: application_id,
          deviceProfileId: device_profile_id,
          isDisabled: device.active === false,
          joinEui: device.app_eui.toLowerCase(),
          tags: labelsTag(device),
        },
      },
      { deviceKeys: { devEui, nwkKey: revealText(device.app_key).toLowerCase() } },
    ];
  },
};
