import { getOrInsertComputed } from "./get-or-insert-computed.ts";

// A value of another realm, such as that of Jest, jsdom or node:vm, is not an instance of the class of this one. Its tag is the same.

/** Tells whether a value is a Date, of any realm. */
export function isDate(value: unknown): value is Date {
  return hasTag(value, "Date");
}

/** Tells whether a value is an AbortSignal, of any realm. Most APIs accept only that of {@link signalOf}. */
export function isSignal(value: unknown): value is AbortSignal {
  return hasTag(value, "AbortSignal");
}

/** Returns a signal of this realm, which fetch and AbortSignal.any require: the same one, or one that follows it. */
export function signalOf(signal: AbortSignal): AbortSignal {
  return signal instanceof AbortSignal ? signal : getOrInsertComputed(followers, signal, follow);
}

/** A signal that lives as long as a program has one listener, not one for each call. */
const followers = /* @__PURE__ */ new WeakMap<AbortSignal, AbortSignal>();

function follow(signal: AbortSignal): AbortSignal {
  const own = new AbortController();
  const abort = (): void => own.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  return own.signal;
}

/** Tells whether a value is a URL, of any realm. */
export function isUrl(value: unknown): value is URL {
  return hasTag(value, "URL");
}

/** Tells whether a value is an error, of any realm. A DOMException is one, with a tag of its own. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || hasTag(value, "Error");
}

/** Tells whether a value is a Uint8Array, of any realm. Its buffer has no type, because TypeScript 5.5 has no place for one. */
export function isBytes(value: unknown): value is Uint8Array {
  return hasTag(value, "Uint8Array");
}

/** Tells whether a value is an ArrayBuffer, of any realm. */
export function isBuffer(value: unknown): value is ArrayBuffer {
  return hasTag(value, "ArrayBuffer");
}

/** Tells whether a value is a Promise, of any realm. A query that starts with its `then` is not one. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return hasTag(value, "Promise");
}

function hasTag(value: unknown, tag: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${tag}]`;
}
