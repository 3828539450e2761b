/** The differences between running deployments of the console. Every default is what the published spec says or allows. */
export interface ConsoleDeployment {
  /** The form of the response of GET organization. @default "list" */
  readonly organization: "list" | "record";
  /**
   * `"full"` adds the fields that running deployments have beyond the spec: region, devaddr and session keys of devices, every
   * field of labels, and all fields of a device that is looked up by id.
   *
   * @default "spec"
   */
  readonly records: "spec" | "full";
  /** The form of the response to a lookup by EUIs. @default "descriptor" */
  readonly lookup: "descriptor" | "device" | "list";
  /** What happens to a device with the same dev_eui, app_eui and app_key as another one. @default "refused" */
  readonly duplicates: "refused" | "allowed";
  /** Whether the endpoint for single devices is enabled. One hosted deployment has disabled it and responds with 403. @default "enabled" */
  readonly singleCreate: "enabled" | "disabled";
  /** The form of the response to the creation of a flow. @default "record" */
  readonly flowCreated: "record" | "text";
  /** The content type of string responses: `"none"`, like running deployments, or `"text/plain"`. @default "none" */
  readonly textType: "none" | "text/plain";
  /** The requests per minute that an address may send. One hosted deployment allows 600. @default 6_000 */
  readonly requestsPerMinute: number;
}

/** The console of the published spec. */
export const specDeployment: ConsoleDeployment = {
  organization: "list",
  records: "spec",
  lookup: "descriptor",
  duplicates: "refused",
  singleCreate: "enabled",
  flowCreated: "record",
  textType: "none",
  requestsPerMinute: 6_000,
};

/** The console of a hosted deployment (observed): each response has the form that is not the default. */
export const hostedDeployment: ConsoleDeployment = {
  organization: "record",
  records: "full",
  lookup: "device",
  duplicates: "refused",
  singleCreate: "disabled",
  flowCreated: "text",
  textType: "none",
  requestsPerMinute: 600,
};
