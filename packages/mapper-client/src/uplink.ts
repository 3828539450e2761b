export { ConsoleUplink, type UplinkHotspot } from "./console-uplink.ts";
export {
  parseConsoleUplink,
  type ParsedUplink,
  type ParseUplinkOptions,
} from "./parse-console-uplink.ts";
export { createUplinkReceiver, type UplinkReceiverOptions } from "./uplink-receiver.ts";
export type { IntegrationOptions } from "./read-integration.ts";
export { UplinkParseError } from "./uplink-parse-error.ts";
