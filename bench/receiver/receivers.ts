// Receivers in processes of their own, which are killed at named points and replaced.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { sign } from "@fieldmesh/webhook-types";
import { nextMessage, startChild } from "../support/child.ts";
import type { Point } from "./kill-points.ts";

interface Receiver {
  readonly child: ChildProcess;
  readonly url: string;
  deliveries: number;
  isArmed: boolean;
}

/** How many processes run which program, with which task. */
interface Receivers {
  readonly program: string;
  readonly task: { readonly secret: string };
  readonly processes: number;
  /** The most deliveries that a process has in progress, which a kill interrupts. */
  readonly inProgress: number;
}

type DeliveryOutcome = "accepted" | "rejected" | "interrupted";

/** Keeps several receivers running and replaces those that die. */
export async function startReceivers({ program, task, processes, inProgress }: Receivers) {
  const children = new Set<ChildProcess>();
  const receivers = new Set<Receiver>();
  let requestedKills = 0;
  let kills = 0;
  let isStopping = false;

  const start = async (): Promise<void> => {
    const child = startChild(program, task);
    children.add(child);
    child.once("exit", () => {
      children.delete(child);
      for (const receiver of receivers) if (receiver.child === child) receivers.delete(receiver);
      if (isStopping) return;
      kills += 1;
      void start();
    });
    const port = await nextMessage<number>(child);
    receivers.add({ child, url: `http://127.0.0.1:${port}/`, deliveries: 0, isArmed: false });
  };
  await Promise.all(Array.from({ length: processes }, start));

  const pick = (isSuitable: (receiver: Receiver) => boolean): Receiver | undefined =>
    shuffle([...receivers].filter(isSuitable))[0];
  return {
    requestedKills: () => requestedKills,
    kills: () => kills,
    /** Delivers to a process that has room for another delivery. */
    deliver: async (body: string): Promise<DeliveryOutcome | undefined> => {
      const receiver = pick(({ deliveries }) => deliveries < inProgress);
      if (receiver === undefined) return undefined;
      receiver.deliveries += 1;
      const outcome = await deliver(receiver.url, body, task.secret);
      receiver.deliveries -= 1;
      return outcome;
    },
    /** Makes a process die when it next reaches a point. */
    kill: (point: Point): void => {
      const receiver = pick(({ isArmed, child }) => !isArmed && child.connected);
      if (receiver === undefined) return;
      requestedKills += 1;
      receiver.isArmed = true;
      receiver.child.send(point, () => {});
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      const exits = [...children].map((child) => once(child, "exit"));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(exits);
    },
  };
}

async function deliver(url: string, body: string, secret: string): Promise<DeliveryOutcome> {
  const headers = await sign({ secret, body });
  try {
    const response = await fetch(url, { method: "POST", headers, body });
    await response.body?.cancel();
    return response.ok ? "accepted" : "rejected";
  } catch {
    return "interrupted";
  }
}

export function shuffle<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
