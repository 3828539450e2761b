// Runs the checks in a worker: the setting is the body of the request, and the findings are the response.
import { conform } from "./checks/index.ts";
import type { Setting } from "./setting.ts";

// oxlint-disable-next-line import/no-default-export -- workerd calls the default export
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await conform((await request.json()) as Setting));
  },
};
