import { tracingChannel } from "node:diagnostics_channel";
import type { Channel, OpenChannel } from "./open-channel.ts";

const EVENTS = ["start", "end", "error", "asyncStart", "asyncEnd"] as const;

/** A channel of Node. That of Bun does not say whether anybody listens, but those of its events do. */
export const openChannel: OpenChannel = <Message extends object>(name: string) => {
  const channel = tracingChannel<unknown, Message>(name);
  if (!Reflect.has(channel, "hasSubscribers"))
    Object.defineProperty(channel, "hasSubscribers", {
      get: () => EVENTS.some((event) => channel[event].hasSubscribers),
    });
  return channel as Channel<Message>;
};
