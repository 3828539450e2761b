import { inspect } from "node:util";

/** The key of every call. Only the request may contain any part of it. */
export const KEY = "q7Zt4Xw9Lm2Vb8KdRs3Yp6Hn";
// Half of it would be enough to guess the rest; shorter parts occur by chance.
const PART = 8;
const PARTS = formsOf(KEY).flatMap((form) =>
  Array.from({ length: form.length - PART + 1 }, (_, at) => form.slice(at, at + PART)),
);

/** Tells whether the printed, logged or tracked form of a value shows the key or a part of it, down to the given depth. */
export function showsKey(value: unknown, depth = 12): boolean {
  return everythingPrinted(value, depth).some((printed) => {
    const shown = printed.toLowerCase();
    return PARTS.some((part) => shown.includes(part));
  });
}

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString("base64"), bytes.toString("hex")].map((form) => form.toLowerCase());
}

/** Not one string: the message of an error can be a body of 256 MiB, and two of them exceed the longest string. */
function everythingPrinted(value: unknown, depth: number): string[] {
  const printed = [
    inspect(value, { depth, showHidden: true, getters: true, maxStringLength: 100_000 }),
    toJson(value),
  ];
  if (value instanceof Error)
    printed.push(value.message, value.stack ?? "", ...everythingPrinted(value.cause, depth));
  return printed;
}

function toJson(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, each: unknown) =>
        typeof each === "bigint" ? String(each) : each,
      ) ?? ""
    );
  } catch {
    return "";
  }
}
