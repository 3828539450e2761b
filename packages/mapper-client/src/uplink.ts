export { ConsoleUplink, type UplinkHotspot } from "./console-uplink.js";
export {
  parseConsoleUplink,
  type DecodedUplink,
  type ParseUplinkOptions,
} from "./parse-console-uplink.js";
export { createUplinkReceiver, type UplinkReceiverOptions } from "./uplink-receiver.js";
export type { IntegrationHeader, IntegrationOptions } from "./read-integration.js";
export { UplinkParseError, isUplinkParseError } from "./uplink-parse-error.js";
