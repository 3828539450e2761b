// A value of another realm is no instance of the class of this one: that of node:vm, of Jest, of a frame. Its tag is the same.

/** Tells whether a value is a Date, of any realm. */
export function isDate(value: unknown): value is Date {
  return hasTag(value, "Date");
}

/** Tells whether a value is an AbortSignal, of any realm. */
export function isSignal(value: unknown): value is AbortSignal {
  return hasTag(value, "AbortSignal");
}

/** Tells whether a value is a URL, of any realm. */
export function isUrl(value: unknown): value is URL {
  return hasTag(value, "URL");
}

/** Tells whether a value is an error, of any realm. A DOMException is one, with a tag of its own. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || hasTag(value, "Error");
}

/** Tells whether a value is a Uint8Array, of any realm. */
export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return hasTag(value, "Uint8Array");
}

function hasTag(value: unknown, tag: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${tag}]`;
}
