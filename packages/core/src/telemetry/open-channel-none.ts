import type { Channel, OpenChannel } from "./open-channel.ts";

const NONE: Channel<object> = { hasSubscribers: false, tracePromise: (work) => work() };

/** A channel that nobody can listen to. */
export const openChannel: OpenChannel = () => NONE;
