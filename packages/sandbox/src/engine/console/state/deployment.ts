import type { Presets } from "../../serve/deployment.ts";

/** What the deployments of the console differ in. Every default is what the published spec says or allows. */
export interface ConsoleDeployment {
  /**
   * The names, EUIs, keys and methods that it accepts. `"spec"` accepts any string that is not empty. `"observed"` requires EUIs and
   * keys of 16 and 32 hexadecimal digits, names of at most 50 or 52 characters, and methods in lower case, and stores EUIs and keys
   * in upper case.
   *
   * @default "spec"
   */
  readonly inputs: "spec" | "observed";
  /** The form of the response of GET organization: a list, or one record (observed). @default "list" */
  readonly organization: "list" | "record";
  /**
   * `"full"` adds the fields that running deployments have beyond the spec (observed): region, devaddr and session keys of devices,
   * every field of labels, and all fields of a device that is looked up by id. `last_connected` is then `null` for a device that has
   * never sent. Most uplinks are unconfirmed, and there are events of joins, of dropped uplinks and of
   * the responses of integrations. Events of requests have method, address, headers and parameters. `"spec"` has the two kinds of
   * events of the spec.
   *
   * @default "spec"
   */
  readonly records: "spec" | "full";
  /** The form of the response to a lookup by EUIs: a descriptor, the device, or a list (observed). @default "descriptor" */
  readonly lookup: "descriptor" | "device" | "list";
  /** What happens to a device with the same dev_eui, app_eui and app_key as another one. @default "rejected" */
  readonly duplicates: "rejected" | "allowed";
  /**
   * What happens to a change of a device with both `active` and `config_profile_id`, of which one selects the operation in the spec:
   * a 422, or both changes. The spec does not say.
   *
   * @default "rejected"
   */
  readonly bothChanges: "rejected" | "allowed";
  /** Whether the endpoint for single devices is enabled. One hosted deployment has disabled it and responds with 403. @default "enabled" */
  readonly singleCreate: "enabled" | "disabled";
  /** The form of the response to the creation of a flow: a string with a record, or a string alone (observed). @default "record" */
  readonly flowCreated: "record" | "text";
  /** The content type of string responses: `"none"`, like running deployments, or `"text/plain"`. @default "none" */
  readonly textType: "none" | "text/plain";
  /** The requests per minute that an address may send. One hosted deployment allows 600. @default 6_000 */
  readonly requestsPerMinute: number;
}

/** The console of the published spec, and that of a hosted deployment (observed), whose responses have the other forms. */
export const consolePresets: Presets<ConsoleDeployment> = {
  spec: {
    inputs: "spec",
    organization: "list",
    records: "spec",
    lookup: "descriptor",
    duplicates: "rejected",
    bothChanges: "rejected",
    singleCreate: "enabled",
    flowCreated: "record",
    textType: "none",
    requestsPerMinute: 6_000,
  },
  hosted: {
    inputs: "observed",
    organization: "record",
    records: "full",
    lookup: "device",
    duplicates: "rejected",
    bothChanges: "rejected",
    singleCreate: "disabled",
    flowCreated: "text",
    textType: "none",
    requestsPerMinute: 600,
  },
};
