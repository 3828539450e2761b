/** What differs between running deployments of the console. Every default is what the published spec says, or allows. */
export interface ConsoleDeployment {
  /** How GET organization responds. @default "list" */
  readonly organization: "list" | "record";
  /**
   * `"full"` adds what running deployments carry beyond the spec: region, devaddr and session keys of devices, every
   * field of labels, all fields of a device that is looked up by its id.
   *
   * @default "spec"
   */
  readonly records: "spec" | "full";
  /** How a lookup by EUIs responds. @default "descriptor" */
  readonly lookup: "descriptor" | "device" | "list";
  /** What happens to a device whose dev_eui, app_eui and app_key are all those of another one. @default "refused" */
  readonly duplicates: "refused" | "allowed";
  /** One hosted deployment has the endpoint for single devices disabled, and responds 403. @default "enabled" */
  readonly singleCreate: "enabled" | "disabled";
  /** How the creation of a flow responds. @default "record" */
  readonly flowCreated: "record" | "text";
  /** The content-type of responses that are text: `"none"`, as in running deployments, or `"text/plain"`. @default "none" */
  readonly textType: "none" | "text/plain";
  /** Requests that an address may send within a minute; one hosted deployment has 600. @default 6_000 */
  readonly requestsPerMinute: number;
}

/** The console as the published spec has it. */
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

/** The console as a hosted deployment was seen to run it: each response in its other form. */
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
