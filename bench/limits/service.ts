const MINUTE = 60_000;
const LATENCY = 20;
const OK = 200;
const TOO_MANY_REQUESTS = 429;

/** A service that allows a number of requests per window of a minute. A window begins with its first request. */
export interface LimitedService {
  /** The fetch of a client; `sender` names it in the counts. */
  fetchOf(sender: number): (url: string) => Promise<Response>;
  /** The requests, in order of arrival. */
  readonly requests: readonly { at: number; window: number; sender: number; status: number }[];
}

/** Makes the service of a benchmark. `says` is what its responses say of the limit. */
export function createService(
  limit: number,
  { says, body }: { says: "headers" | "retry-after"; body: unknown },
): LimitedService {
  const requests: { at: number; window: number; sender: number; status: number }[] = [];
  const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LATENCY / 2));
  let [startsAt, count, window] = [-Infinity, 0, -1];
  return {
    requests,
    fetchOf: (sender) => async () => {
      await wait();
      const now = performance.now();
      if (now >= startsAt + MINUTE) [startsAt, count, window] = [now, 0, window + 1];
      const isOver = ++count > limit;
      const status = isOver ? TOO_MANY_REQUESTS : OK;
      const reset = String(Math.ceil((startsAt + MINUTE - now) / 1_000));
      const headers: Record<string, string> = isOver ? { "retry-after": reset } : {};
      if (says === "headers") {
        headers["ratelimit-limit"] = String(limit);
        headers["ratelimit-remaining"] = String(Math.max(0, limit - count));
        headers["ratelimit-reset"] = reset;
      }
      requests.push({ at: now, window, sender, status });
      await wait();
      return Response.json(isOver ? {} : body, { status, headers });
    },
  };
}
