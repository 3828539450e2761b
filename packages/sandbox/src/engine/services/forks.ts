import { mistake } from "@fieldmesh/core/internal";
import { textResponse } from "../serve/responses.ts";
import type { Handler } from "../serve/serve.ts";

/** The path prefix of forks. */
const PREFIX = "/forks/";

/** What is served of a fork. */
interface Forked {
  readonly handler: Handler;
  readonly stop: () => void;
}

export type Forks = ReturnType<typeof createForks>;

/** Creates an empty list of forks. Each has the path `/forks/<id>`, and a fork can have forks. */
export function createForks() {
  const all = new Map<string, Forked>();
  let last = 0;
  return {
    /** Adds a fork. Returns its id. */
    add: (fork: Forked) => {
      const id = String(++last);
      all.set(id, fork);
      return id;
    },
    /** Ends a fork. Throws a TypeError for one that does not exist. */
    remove: (id: string) => {
      const fork = all.get(id);
      if (fork === undefined) throw mistake(`There is no fork ${id}.`);
      fork.stop();
      all.delete(id);
    },
    get ids() {
      return [...all.keys()];
    },
    /** Responds to a request to a fork, `undefined` for any other request. */
    handle: (...[request, connection]: Parameters<Handler>): Promise<Response> | undefined => {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(PREFIX)) return undefined;
      const [id = "", ...rest] = url.pathname.slice(PREFIX.length).split("/");
      const fork = all.get(id);
      if (fork === undefined) return Promise.resolve(textResponse("Not Found", { status: 404 }));
      // Assigned to a URL and not parsed, so that a path of `//elsewhere` cannot replace the host.
      url.pathname = `/${rest.join("/")}`;
      return fork.handler(new Request(url, request), connection);
    },
    stop: () => {
      for (const { stop } of all.values()) stop();
    },
  };
}
