import { tracingChannel } from "node:diagnostics_channel";
import type { Channel, OpenChannel } from "./open-channel.ts";

const EVENTS = ["start", "end", "error", "asyncStart", "asyncEnd"] as const;

/** Opens a channel of Node. A channel of Bun has no `hasSubscribers`, but the channels of its events do. */
export const openChannel: OpenChannel = <Message extends object>(name: string) => {
  const channel = tracingChannel<unknown, Message>(name);
  if (!Reflect.has(channel, "hasSubscribers"))
    Object.defineProperty(channel, "hasSubscribers", {
      get: () => EVENTS.some((event) => channel[event].hasSubscribers),
    });
  return channel as Channel<Message>;
};
