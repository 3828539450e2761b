export { createMapperClient, type MapperClient, type MapperClientOptions } from "./client.ts";
export type { IngestResult, Mapper } from "./mapper.ts";
export { check } from "./check.ts";
export type { Position } from "./fields.ts";
export { fromConsoleUplink } from "./from-console-uplink.ts";
export type { MappingResult } from "./mapping-result.ts";
export type { MessageForm, UplinkForm } from "./message-forms.ts";
export { fromNetworkServer } from "./from-network-server.ts";
export type { BuildOptions } from "./build-position.ts";
export type { ConsoleSubmission, OpenSubmission, UplinkSubmission } from "./submission.ts";
export type { NetworkServerSubmission } from "./network-server-uplink.ts";
export {
  createForwarder,
  type Forwarder,
  type ForwarderOptions,
  type ForwardReport,
} from "./forwarder.ts";
export type { IntegrationOptions } from "./read-integration.ts";
export { MapperRejectedError } from "./mapper-rejected-error.ts";

// Listed by hand nevertheless: the file behind this star names each export that the clients share.
export * from "@fieldmesh/http";
