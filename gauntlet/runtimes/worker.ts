// The program that runs in workerd: makes the call that it is sent, and responds with how it ended.
import { perform, type Call } from "../run/perform.ts";

// oxlint-disable-next-line import/no-default-export -- workerd calls the default export
export default {
  async fetch(request: Request): Promise<Response> {
    return new Response(await perform((await request.json()) as Call));
  },
};
