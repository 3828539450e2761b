import { openChannel } from "#open-channel";
import type {
  AttemptMessage,
  CallMessage,
  ChunkMessage,
  DeliveryMessage,
  HandlerMessage,
  PageMessage,
  StoreMessage,
} from "./messages.ts";

// Several copies of this package open the same channels. A bundler drops the channels that the bundle does not use.
export const callChannel = /* @__PURE__ */ openChannel<CallMessage>("fieldmesh:call");
export const attemptChannel = /* @__PURE__ */ openChannel<AttemptMessage>("fieldmesh:attempt");
export const pageChannel = /* @__PURE__ */ openChannel<PageMessage>("fieldmesh:page");
export const chunkChannel = /* @__PURE__ */ openChannel<ChunkMessage>("fieldmesh:chunk");
export const deliveryChannel = /* @__PURE__ */ openChannel<DeliveryMessage>("fieldmesh:delivery");
export const handlerChannel = /* @__PURE__ */ openChannel<HandlerMessage>("fieldmesh:handler");
export const storeChannel = /* @__PURE__ */ openChannel<StoreMessage>("fieldmesh:store");
