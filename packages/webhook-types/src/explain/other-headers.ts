import { type HeadersLike, listItems, readHeader } from "../verify/message.ts";
import type { Scheme } from "../verify/scheme.ts";

interface OtherHeaders {
  readonly cause: "blank_in_header" | "different_times" | "doubled_header";
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
}

const TIME = "webhook-timestamp";
/** Anyone can send a header with thousands of times. */
const MOST = 8;
const ADVICE = "Find out which proxy or program adds it.";

/** Headers that the sender may have sent, if a proxy joined or rewrote them. */
export function otherHeaders(scheme: Scheme, headers: HeadersLike): OtherHeaders[] {
  const values = valuesOf(scheme, headers);
  const all = Object.entries(values);
  const changed = (change: (value: string, name: string) => string) =>
    Object.fromEntries(all.map(([name, value]) => [name, change(value, name)]));
  const times = new Set(all.flatMap(([name, value]) => timesOf(value, name)));
  const most = Math.max(0, ...all.map(([, value]) => copiesOf(value).length));
  const copies = Array.from({ length: Math.min(most, MOST) }, (_, index) =>
    changed((value) => copiesOf(value)[index] ?? value),
  );
  const others: [OtherHeaders["cause"], OtherHeaders["headers"][], string][] = [
    [
      "blank_in_header",
      [changed(withoutBlanks), changed((value) => value.replaceAll(/\s/g, ""))],
      "The header contains a blank inside one of its items.",
    ],
    [
      "doubled_header",
      copies.every((each) => isReadable(scheme, each)) ? copies : [],
      "The header was sent several times, and the scheme cannot read them together.",
    ],
    [
      "different_times",
      [...times].slice(0, MOST).map((time) => changed((...each) => atTime(time, ...each))),
      "The header contains different times, and it is unclear which of them was signed.",
    ],
  ];
  return others.flatMap(([cause, forms, found]) =>
    forms
      .filter((form) => all.some(([name, value]) => form[name] !== value))
      .map((form) => ({ cause, headers: form, message: `${found} ${ADVICE}` })),
  );
}

/** Whether a scheme reads these headers. One of the user throws for a header that it cannot read. */
export function isReadable(scheme: Scheme, headers: HeadersLike): boolean {
  try {
    return typeof scheme.read((name) => readHeader(headers, name)) !== "string";
  } catch {
    return false;
  }
}

/** The headers that the scheme reads. */
function valuesOf(scheme: Scheme, headers: HeadersLike): Record<string, string> {
  const values: Record<string, string> = {};
  const get = (name: string) => (values[name] = readHeader(headers, name) ?? "");
  isReadable(scheme, { get });
  return values;
}

function withoutBlanks(value: string): string {
  return value.replaceAll(/\s+/g, " ").replaceAll(/ ?([=,]) ?/g, "$1");
}

function timesOf(value: string, name: string): string[] {
  const items = listItems(value);
  return name === TIME ? items : items.filter((item) => item.startsWith("t="));
}

function atTime(time: string, value: string, name: string): string {
  if (name === TIME) return time;
  const others = listItems(value).filter((item) => !item.startsWith("t="));
  return time.startsWith("t=") ? [time, ...others].join() : value;
}

/** Splits a joined value where its first name, such as `t=`, begins again. */
function copiesOf(value: string): string[] {
  const items = listItems(value);
  const key = /^\w+=/.exec(value)?.[0];
  const starts = items.flatMap((item, index) => (!key || item.startsWith(key) ? [index] : []));
  return starts.map((start, index) => items.slice(start, starts[index + 1]).join());
}
