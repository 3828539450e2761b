import { nextMessage, startChild } from "../support/child.ts";

/** What a child reads. */
export interface ReadTask {
  readonly baseUrl: string;
  readonly method: "list" | "each";
  /** How often it reads the list. The last time counts. */
  readonly rounds: number;
}

/** How a child has read the list. */
export interface ReadReport {
  /** The devices of the list. */
  readonly count: number;
  /** Microseconds of the processor for each device. */
  readonly cpu: number;
  /** The most megabytes that the heap has held. */
  readonly heap: number;
}

/** Reads a list of devices in a process of its own, with a heap of at most the given megabytes. */
export async function readInChild(
  count: number,
  { heap, ...task }: Omit<ReadTask, "baseUrl"> & { readonly heap: number },
): Promise<ReadReport> {
  const server = startChild("lists/serve-devices.ts", { count });
  const port = await nextMessage<number>(server);
  const child = startChild(
    "lists/read-devices.ts",
    { baseUrl: `http://127.0.0.1:${port}`, ...task },
    [`--max-old-space-size=${heap}`],
  );
  try {
    const ended = new Promise<never>((_, reject) => {
      child.once("exit", (code) => reject(new Error(`the reader ended with ${code}`)));
    });
    return await Promise.race([nextMessage<ReadReport>(child), ended]);
  } finally {
    child.kill("SIGKILL");
    server.kill("SIGKILL");
  }
}
