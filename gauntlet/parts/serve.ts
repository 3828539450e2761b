import type { Context, World } from "./row.ts";
import { startOrigin, type Respond } from "./origin.ts";

/** Makes the world of a row: a server that responds as the row says. */
export function serve(respond: Respond): (context?: Context) => Promise<World> {
  return async () => await startOrigin(respond);
}

/** Two servers of different origins: the second must never see the key. */
export function serveTwo(
  respond: (elsewhere: string) => Respond,
): (context: Context) => Promise<World> {
  return async () => {
    const other = await startOrigin();
    const origin = await startOrigin(respond(other.url));
    return {
      url: origin.url,
      requests: origin.requests,
      posts: origin.posts,
      leftOpen: origin.leftOpen,
      strayKeys: other.keys,
      async [Symbol.asyncDispose]() {
        await origin[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  };
}
