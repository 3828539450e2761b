import { revealText } from "@fieldmesh/core/internal";
import type { FleetDevice } from "../move/fleet.ts";
import { cutName, labelsTag, losesName } from "./target.ts";
import type { DeviceSettings } from "./target-mapping.ts";

/** The body of `DeviceService.Create`. */
export interface DeviceBody {
  readonly devEui: string;
  readonly name: string;
  readonly applicationId: string;
  readonly deviceProfileId: string;
  readonly isDisabled: boolean;
  readonly joinEui: string;
  readonly tags: { readonly labels?: string };
}

/** The body of `DeviceService.CreateKeys`. */
export interface KeysBody {
  readonly devEui: string;
  readonly nwkKey: string;
}

const MAX_NAME = 100;

/**
 * ChirpStack v4: a `CreateDeviceRequest` and a `CreateDeviceKeysRequest` for each device, in the JSON form of its API. The AppKey of a
 * LoRaWAN 1.0.x device is the `nwkKey` there; `appKey` is for LoRaWAN 1.1.
 */
export const chirpstack = {
  applicationId: "uuid",
  required: ["application_id", "device_profile_id"],
  loses: (device: FleetDevice) => losesName(device, MAX_NAME),
  write(
    device: FleetDevice,
    { application_id = "", device_profile_id = "" }: DeviceSettings,
  ): [{ readonly device: DeviceBody }, { readonly deviceKeys: KeysBody }] {
    const devEui = device.dev_eui.toLowerCase();
    return [
      {
        device: {
          devEui,
          name: cutName(device, MAX_NAME),
          applicationId: application_id.toLowerCase(),
          deviceProfileId: device_profile_id.toLowerCase(),
          isDisabled: device.active === false,
          joinEui: device.app_eui.toLowerCase(),
          tags: labelsTag(device),
        },
      },
      { deviceKeys: { devEui, nwkKey: revealText(device.app_key).toLowerCase() } },
    ];
  },
} as const;
