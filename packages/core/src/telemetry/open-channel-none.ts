import type { Channel, OpenChannel } from "./open-channel.ts";

const NONE: Channel<object> = { hasSubscribers: false, tracePromise: (work) => work() };

/** A channel without subscribers. */
export const openChannel: OpenChannel = () => NONE;
