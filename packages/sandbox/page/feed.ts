import type { FeedMessage } from "../src/engine/controls/wire.ts";
import { open, ResponseError } from "./api.ts";
import type { Connection } from "./store.ts";

/** Milliseconds until the next attempt, doubled after each one up to the last. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;

/** Reads the feed until the signal aborts. It resumes where it was broken off. */
export async function readFeed(
  onMessage: (message: FeedMessage) => void,
  onConnection: (connection: Connection) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let wait = FIRST_PAUSE;
  while (!signal.aborted) {
    try {
      // EventSource cannot send the token.
      const response = await open("/sandbox/feed", {
        signal,
        headers: lastId === undefined ? {} : { "last-event-id": lastId },
      });
      onConnection("live");
      wait = FIRST_PAUSE;
      for await (const { id, data } of eventsOf(response)) {
        lastId = id ?? lastId;
        onMessage(JSON.parse(data) as FeedMessage);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ResponseError && error.status === 401) return onConnection("locked");
    }
    onConnection("lost");
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(2 * wait, LONGEST_PAUSE);
  }
}

interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events. The sandbox writes each field in one line. */
async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data !== undefined) yield { id: field("id"), data };
    }
  }
}
