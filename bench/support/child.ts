// Starts a part of a benchmark in a separate process, to kill it or to measure it without the rest.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** The message of a child that will be killed, when it begins its work. */
export const READY = "ready";

/** Starts a program of this package. Its task is passed as JSON; the program reads it with `readTask`. `flags` are those of Node. */
export function startChild(file: string, task: unknown, flags: string[] = []): ChildProcess {
  const path = join(import.meta.dirname, "..", file);
  return fork(path, [JSON.stringify(task)], { execArgv: flags });
}

/** Returns the task that this process was started with. */
export function readTask(): unknown {
  return JSON.parse(process.argv[2] ?? "");
}

/** Returns the next message of a child. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, "message")) as [Message];
  return message;
}

/** Serves a handler on a free port, sends the port to the parent process, and exits when the parent disconnects. */
export async function serveInChild(listener: RequestListener): Promise<void> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  process.on("disconnect", () => process.exit());
  process.send?.((server.address() as AddressInfo).port);
}
