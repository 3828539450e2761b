// Processes that receive and work, which are killed and stopped from outside, and replaced.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sign } from "@fieldmesh/webhook-types";
import { nextMessage, startChild } from "../support/child.ts";
import type { DeliveryTask } from "./task.ts";

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  isStopped: boolean;
}

/** A sender gives up a delivery after this time, such as one to a process that is stopped. */
const LONGEST_DELIVERY = 5_000;

/** Keeps several processes running. */
export async function startProcesses(task: DeliveryTask, count: number) {
  const children = new Set<ChildProcess>();
  const running = new Set<Running>();
  let isEnding = false;

  const start = async (): Promise<void> => {
    const child = startChild("deliveries/child.ts", task);
    children.add(child);
    child.once("exit", () => {
      children.delete(child);
      for (const each of running) if (each.child === child) running.delete(each);
      if (!isEnding) void start();
    });
    const port = await nextMessage<number>(child);
    running.add({ child, url: `http://127.0.0.1:${port}/`, isStopped: false });
  };
  await Promise.all(Array.from({ length: count }, start));

  const pick = (): Running | undefined => {
    const free = [...running].filter(({ isStopped }) => !isStopped);
    return free[Math.floor(Math.random() * free.length)];
  };
  return {
    /** Delivers to any process, also to one that is stopped. Returns whether it was accepted. */
    deliver: async (body: string): Promise<boolean> => {
      const all = [...running];
      const target = all[Math.floor(Math.random() * all.length)];
      return target !== undefined && deliver(target.url, body, task.secret);
    },
    /** Kills a process. */
    kill: (): boolean => pick()?.child.kill("SIGKILL") ?? false,
    /** Stops a process for some time, as a frozen container is. At most half of them are stopped at once. */
    stop: (milliseconds: number): boolean => {
      const stopped = [...running].filter(({ isStopped }) => isStopped).length;
      const target = stopped * 2 < count ? pick() : undefined;
      if (target === undefined) return false;
      target.isStopped = true;
      target.child.kill("SIGSTOP");
      void sleep(milliseconds).then(() => {
        target.isStopped = false;
        target.child.kill("SIGCONT");
      });
      return true;
    },
    end: async (): Promise<void> => {
      isEnding = true;
      const exits = [...children].map((child) => once(child, "exit"));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(exits);
    },
  };
}

/** Returns whether a delivery was accepted. */
export async function deliver(url: string, body: string, secret: string): Promise<boolean> {
  const headers = await sign({ secret, body });
  const signal = AbortSignal.timeout(LONGEST_DELIVERY);
  try {
    const response = await fetch(url, { method: "POST", headers, body, signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
