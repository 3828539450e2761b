import { openChannel } from "#open-channel";
import type {
  AttemptMessage,
  CallMessage,
  ChunkMessage,
  DeliveryMessage,
  EnqueueMessage,
  HandlerMessage,
  PageMessage,
  StoreMessage,
} from "./messages.ts";

// Several copies of this package open the same channels. A bundler drops the channels that the bundle does not use.
/** Reports every call of a client, with all its attempts. */
export const callChannel = /* @__PURE__ */ openChannel<CallMessage>("fieldmesh:call");
/** Reports every attempt of a call, which is one HTTP request. */
export const attemptChannel = /* @__PURE__ */ openChannel<AttemptMessage>("fieldmesh:attempt");
/** Reports every page of a list that a walk reads. */
export const pageChannel = /* @__PURE__ */ openChannel<PageMessage>("fieldmesh:page");
/** Reports every step of a run over many devices. */
export const chunkChannel = /* @__PURE__ */ openChannel<ChunkMessage>("fieldmesh:chunk");
/** Reports every delivery that a receiver handles. */
export const deliveryChannel = /* @__PURE__ */ openChannel<DeliveryMessage>("fieldmesh:delivery");
/** Reports every delivery that a receiver puts into a queue. */
export const enqueueChannel = /* @__PURE__ */ openChannel<EnqueueMessage>("fieldmesh:enqueue");
/** Reports every handler that a router runs. */
export const handlerChannel = /* @__PURE__ */ openChannel<HandlerMessage>("fieldmesh:handler");
/** Reports every call of a receiver to its store. */
export const storeChannel = /* @__PURE__ */ openChannel<StoreMessage>("fieldmesh:store");
