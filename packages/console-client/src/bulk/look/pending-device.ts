import type { NewDevice } from "../../device.ts";
import type { PendingItem } from "../run/run-parts.ts";

/** A valid device without a result. Its key is the one that the console uses: dev_eui, app_eui and app_key. */
export interface PendingDevice extends PendingItem {
  readonly device: NewDevice;
  /** Its two EUIs. Several devices of an input may share them. */
  readonly pair: string;
  readonly identity: { readonly index: number; readonly dev_eui: string };
}
