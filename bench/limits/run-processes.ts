import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { nextMessage, startChild } from "../support/child.ts";
import { limit, note } from "../support/report.ts";

/** What a process calls, and for how long. */
export interface CallTask {
  readonly baseUrl: string;
  readonly redisUrl: string;
  readonly requests: number;
  readonly sender: number;
}

const LIMIT = 600;
const PROCESSES = 3;
const MINUTE = 60_000;
const MINUTES = 2;
const SECOND = 1_000;
const TOO_MANY_REQUESTS = 429;

/** Three processes share a limit for two minutes of real time, and one is killed in the middle. */
export async function runProcesses(redisUrl: string): Promise<void> {
  const requests: { at: number; window: number; sender: number; isRejected: boolean }[] = [];
  let [startsAt, count, window] = [-Infinity, 0, -1];
  const server = createServer(({ headers }, response) => {
    const now = performance.now();
    if (now >= startsAt + MINUTE) [startsAt, count, window] = [now, 0, window + 1];
    const isRejected = ++count > LIMIT;
    requests.push({ at: now, window, sender: Number(headers["x-sender"]), isRejected });
    const reset = String(Math.ceil((startsAt + MINUTE - now) / SECOND));
    response.writeHead(isRejected ? TOO_MANY_REQUESTS : 200, {
      "content-type": "application/json",
      ...(isRejected && { "retry-after": reset }),
    });
    response.end("[]");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failed = Array.from({ length: PROCESSES }, () => 0);
  const children = failed.map((_, sender) => {
    const task: CallTask = { baseUrl, redisUrl, requests: LIMIT, sender };
    return startChild("limits/call-child.ts", task);
  });
  await Promise.all(children.map((child) => nextMessage(child)));
  for (const [sender, child] of children.entries()) {
    child.on("message", () => failed[sender]!++);
    child.send("begin");
  }
  await sleep((MINUTES / 2) * MINUTE);
  children[0]?.kill("SIGKILL");
  await sleep((MINUTES / 2) * MINUTE);
  const first = requests[0]?.at ?? 0;
  const inTime = requests.filter(({ at }) => at - first < MINUTES * MINUTE);
  for (const child of children) child.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
  const rejected = inTime.filter(({ isRejected }) => isRejected);
  const counts = children.map(
    (_, sender) => inTime.filter((each) => each.sender === sender && !each.isRejected).length,
  );
  const groups = [...Map.groupBy(rejected, (each) => `${each.window} ${each.sender}`).values()];
  note(
    `Three processes with Redis for ${MINUTES} minutes, ${LIMIT} a minute, one killed after one: ${rejected.length} 429s; requests by process ${counts.join(", ")}.`,
  );
  limit(
    "three processes: failed calls",
    failed.reduce((sum, each) => sum + each, 0),
    { most: 0 },
  );
  limit(
    "three processes: 429s of one in a window",
    Math.max(0, ...groups.map((all) => all.length)),
    { most: 1 },
  );
  const used = (inTime.length - rejected.length) / (LIMIT * MINUTES);
  limit("three processes: used part of the limit", used, { least: 0.95 });
  limit(
    "three processes: slower over faster of the two that live",
    Math.min(...counts.slice(1)) / Math.max(...counts.slice(1)),
    { least: 0.8 },
  );
}
