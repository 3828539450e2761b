import { close, closeSync, constants, createReadStream, open, openSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { parseJson } from "@fieldmesh/core/internal";

/**
 * Reads what is piped or typed, to its end. The signal ends it at once, although the stream stays open. It may hold keys, so no file
 * has a part of it.
 */
export async function readStream(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => {
      stream.destroy();
      reject(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  return await Promise.race([buffer(stream), ended]);
}

/** Reads a file, or a pipe until the signal. */
export async function readFileOrPipe(file: string, signal: AbortSignal): Promise<Buffer> {
  return (await isPipe(file))
    ? await readStream(await openPipe(file, signal), signal)
    : await readFile(file);
}

/** Opens a file or a pipe of any size. The signal ends it: otherwise, a loop that ends would wait for the next piece. */
export async function openFileOrPipe(file: string, signal: AbortSignal): Promise<Readable> {
  const isOne = await isPipe(file);
  return addAbortSignal(signal, isOne ? await openPipe(file, signal) : createReadStream(file));
}

/** Whether a file is a pipe, such as that of `<(…)`. */
export async function isPipe(file: string): Promise<boolean> {
  return await stat(file).then(
    (found) => found.isFIFO(),
    () => false,
  );
}

/**
 * Opens a pipe. Node would read it in a thread that nothing interrupts, and a program does not end before its threads. A socket reads
 * it without one. Only opening it waits in a thread, until the user or a program writes: the signal ends this wait.
 */
async function openPipe(file: string, signal: AbortSignal): Promise<Readable> {
  signal.throwIfAborted();
  const wake = (): void => {
    try {
      closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // It is open, or gone.
    }
  };
  signal.addEventListener("abort", wake, { once: true });
  try {
    const fd = await promisify(open)(file, "r");
    if (!signal.aborted) return new Socket({ fd, readable: true, writable: false });
    close(fd);
    throw signal.reason;
  } finally {
    signal.removeEventListener("abort", wake);
  }
}

/** Parses JSON. Returns `undefined` for any other string: the error of the parser is not shown, because the string may hold a secret. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
