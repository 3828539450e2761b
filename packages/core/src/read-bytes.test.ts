import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { addChunk, concatBytes, readBytes, readInTime } from "./read-bytes.ts";

const chunk = (text: string): Uint8Array => new TextEncoder().encode(text);

test("joins the chunks of a body", async () => {
  const body = ReadableStream.from([chunk("one "), chunk("two "), chunk("three")]);
  expect(new TextDecoder().decode(await readBytes(body, 13))).toBe("one two three");
});

test("returns no bytes for a missing or an empty body", async () => {
  expect(await readBytes(null, 1)).toEqual(new Uint8Array());
  expect(await readBytes(ReadableStream.from<Uint8Array>([]), 1)).toEqual(new Uint8Array());
});

test("stops at the limit, and cancels the body without waiting for the cancellation", async () => {
  let chunks = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      chunks++;
      controller.enqueue(chunk("0123456789"));
    },
    cancel: () => {
      isCancelled = true;
      return new Promise(() => undefined);
    },
  });
  expect(await readBytes(endless, 25)).toBeUndefined();
  expect(isCancelled).toBe(true);
  expect(chunks).toBeLessThan(6);
});

test("rejects with the error of a body that breaks off", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error("reset")),
  });
  await expect(readBytes(broken, 10)).rejects.toThrow("reset");
});

test("reads any stream with a reader, and any async iterable of chunks", async () => {
  const stream = ReadableStream.from([chunk("abc")]);
  const onlyReader = { getReader: () => stream.getReader() } as ReadableStream<Uint8Array>;
  expect(await readBytes(onlyReader, 3)).toEqual(chunk("abc"));
  async function* parts() {
    yield chunk("ab");
    yield chunk("c");
  }
  expect(await readBytes(parts(), 3)).toEqual(chunk("abc"));
  expect(await readBytes(parts(), 2)).toBeUndefined();
});

test("reads a stream of Node without one of the web, and destroys it at its end", async () => {
  const from = vi.spyOn(ReadableStream, "from");
  const body = () => Readable.from([Buffer.from("ab"), Buffer.from("c")]);
  expect(await readBytes(body(), 3)).toEqual(chunk("abc"));
  const long = body();
  expect(await readBytes(long, 2)).toBeUndefined();
  expect(long.destroyed).toBe(true);
  const silent = new Readable({ read: () => undefined });
  const ended = new AbortController();
  const read = readBytes(silent, 9, ended.signal);
  ended.abort("ended");
  await expect(read).rejects.toThrow("Premature close");
  await expect(readBytes(Readable.from(reset()), 9)).rejects.toThrow("reset");
  expect(from).not.toHaveBeenCalled();
  from.mockRestore();
});

async function* reset() {
  yield chunk("a");
  throw new Error("reset");
}

test("joins small chunks while they arrive, and in their order", async () => {
  const chunks: Uint8Array[] = [];
  const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => index);
  for (const byte of bytes) addChunk(chunks, Uint8Array.of(byte));
  addChunk(chunks, new Uint8Array(100_000));
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([
    1024, 1024, 1024, 1024, 904, 100_000,
  ]);
  expect(concatBytes(chunks.slice(0, 5), 5_000)).toEqual(bytes);
  for (let each = 0; each < 5_000; each++) addChunk(chunks, new Uint8Array());
  expect(chunks).toHaveLength(7);
});

test("a body that does not end within 30 s is cancelled, and what it does later is ignored", async () => {
  vi.useFakeTimers();
  try {
    const cancel = vi.fn(() => Promise.reject(new Error("canary")));
    const body = new ReadableStream<Uint8Array>({ cancel });
    const read = readInTime((late) => readBytes(body, 3, late));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect([await read, cancel.mock.calls.length]).toEqual([null, 1]);
    const failing = readInTime(async (late) => {
      await new Promise((resolve) => late.addEventListener("abort", resolve));
      throw new Error("canary");
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await failing).toBeNull();
    await expect(readInTime(() => Promise.reject(new Error("reset")))).rejects.toThrow("reset");
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
