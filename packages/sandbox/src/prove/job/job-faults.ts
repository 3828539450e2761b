import { fetchFailed } from "../../engine/faults/break-connection.ts";
import type { JobFaultKind } from "./job-plan.ts";

/** What a fault does to a call, in the log of a run. */
export const LOG: Readonly<Record<JobFaultKind, string>> = {
  "response lost": "is carried out, and the response is lost",
  reset: "the connection breaks before it",
  "cut off": "is carried out, and the response breaks off",
  "500": "500, and nothing is done",
  "500 after the work": "is carried out, and responds 500",
  "429": "429, with a wait of 1 s",
  "killed before": "the process is killed before it",
  "killed after": "the process is killed after it",
};

export function broken(): TypeError {
  return fetchFailed("fetch failed");
}

export function failed(status: number): Response {
  return new Response(null, { status, headers: status === 429 ? { "retry-after": "1" } : {} });
}

/** Half of the body, and then a broken connection. */
export async function cutOff(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent || bytes.length < 2) return controller.error(broken());
      isSent = true;
      controller.enqueue(bytes.subarray(0, bytes.length >> 1));
    },
  });
  const { status, headers } = response;
  return new Response(status === 204 ? null : body, { status, headers });
}
