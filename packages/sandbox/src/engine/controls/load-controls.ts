import type { Handler } from "../serve/serve.ts";
import type { Controlled } from "./controls.ts";

/** Loads the controls with their first request: most sandboxes of tests have none. */
export function loadControls(controlled: Controlled): Handler {
  let loaded: Promise<Handler> | undefined;
  return async (request, connection) => {
    loaded ??= import("./controls.ts").then(({ serveControls }) => serveControls(controlled));
    return (await loaded)(request, connection);
  };
}
