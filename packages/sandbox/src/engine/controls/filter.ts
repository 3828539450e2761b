// The one filter of requests, deliveries, records and events. The page and the commands use it, so it imports nothing else.
import { hasFailed, stateOf } from "../webhooks/has-failed.ts";
import type { DeliveryRow, EventRow, RequestRow, WordMatch } from "./wire.ts";

type FieldValue = string | number | boolean | null | undefined;

/** What a filter searches of a record. */
export interface Searched {
  /** By name. A field may have several values, such as `401` and `4xx`. */
  readonly fields: Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
  /** Returns which of the contents contain a word, which is in lower case. */
  readonly inside?: ((word: string) => WordMatch["inside"]) | undefined;
}

export interface Filtered<T> {
  readonly found: readonly T[];
  readonly matches: readonly WordMatch[];
}

/** Fields that a person names. A whole one means no more than a part: `Pumps` also finds `Pumps north`. */
const NAMES = new Set(["name", "labels", "flows", "from", "integration", "url", "client"]);
/** Fields whose values are words with other meanings elsewhere. `key:console` finds them. */
const ONLY_BY_NAME = new Set(["key"]);

/** How well a value fits: 2 as a whole, 1 in a part, 0 not at all. */
type Fit = 0 | 1 | 2;

/**
 * Returns the records that every word fits, and what each word means. A word means the best that it matches in any record: a whole
 * field, else a part of a field, else headers and bodies. `field:value` means this field alone. Words that a field has in this order are one.
 */
export function filterRecords<T>(
  records: readonly T[],
  words: string,
  searchOf: (record: T) => Searched,
): Filtered<T> {
  const separate = wordsOf(words);
  if (separate.length === 0) return { found: records, matches: [] };
  const searched = records.map(searchOf);
  const phrase = separate.join(" ");
  const isOne = separate.length > 1 && findWord(searched, phrase).match.fields.length > 0;
  const matches: WordMatch[] = [];
  let found = searched.map(() => true);
  for (const word of isOne ? [phrase] : separate) {
    const { isFound, match } = findWord(searched, word);
    found = found.map((is, at) => is && isFound[at] === true);
    matches.push(match);
  }
  return { found: records.filter((_, at) => found[at]), matches };
}

/** Returns the words of a filter in lower case. */
export function wordsOf(words: string): string[] {
  return words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Says what each word has matched, such as `401 in status; pump in the body`. While bodies are read, no word is nowhere. */
export function describeMatches(matches: readonly WordMatch[], isSearching = false): string {
  return matches
    .map(({ word, fields, inside }) => {
      if (fields.length > 0) return `${word} in ${fields.join(", ")}`;
      if (isSearching) return `${word}: searching bodies …`;
      return inside.length === 0 ? `${word} nowhere` : `${word} in the ${inside.join(", the ")}`;
    })
    .join("; ");
}

function findWord(
  searched: readonly Searched[],
  word: string,
): { readonly isFound: readonly boolean[]; readonly match: WordMatch } {
  const [before = "", ...after] = word.split(":");
  const isNamed = after.length > 0 && searched.some(({ fields }) => Object.hasOwn(fields, before));
  const text = isNamed ? after.join(":") : word;
  // Without an array for each record, because a page filters all of them again with each request that arrives.
  const fits = new Uint8Array(searched.length);
  const namesOf: Readonly<Record<Fit, Set<string>>> = [new Set(), new Set(), new Set()];
  let best: Fit = 0;
  for (const [at, { fields }] of searched.entries())
    for (const name in fields) {
      if (isNamed ? name !== before : ONLY_BY_NAME.has(name)) continue;
      const fit = fitOf(name, fields[name], text);
      if (fit === 0) continue;
      fits[at] = Math.max(fits[at] ?? 0, fit);
      if (fit > best) best = fit;
      namesOf[fit].add(name);
    }
  if (best > 0)
    return {
      isFound: searched.map((_, at) => fits[at] === best),
      match: { word, fields: [...namesOf[best]], inside: [] },
    };
  const places = searched.map(({ inside }) => (isNamed ? [] : (inside?.(text) ?? [])));
  const isFound = places.map(({ length }) => length > 0);
  return { isFound, match: { word, fields: [], inside: [...new Set(places.flat())] } };
}

function fitOf(name: string, value: Searched["fields"][string], word: string): Fit {
  if (!isList(value)) return fitOfOne(name, value, word);
  return value.reduce<Fit>((best, each) => {
    const fit = fitOfOne(name, each, word);
    return fit > best ? fit : best;
  }, 0);
}

function fitOfOne(name: string, value: FieldValue, word: string): Fit {
  if (value === null || value === undefined) return 0;
  const text = String(value).toLowerCase();
  if (text === word && !NAMES.has(name)) return 2;
  return text.includes(word) ? 1 : 0;
}

/** TypeScript does not narrow a readonly array with Array.isArray. */
function isList(value: Searched["fields"][string]): value is readonly FieldValue[] {
  return Array.isArray(value);
}

/** Returns what a filter searches of a request. */
export function searchRequest(request: RequestRow): Searched {
  const { number, service, row, method, path, status, fault, client, key, duration } = request;
  const isBroken = status === undefined && duration !== undefined;
  const isFailed = isBroken || (status ?? 0) >= FIRST_ERROR;
  const outcome = isFailed ? "failed" : duration === undefined ? "pending" : "ok";
  const shown = isBroken ? "broken" : statusOf(status);
  return {
    fields: { number, service, row, method, path, status: shown, outcome, fault, client, key },
  };
}

/** Returns what a filter searches of a delivery. It has failed if it is dead, or if its last attempt was not accepted. */
export function searchDelivery(delivery: DeliveryRow): Searched {
  const { id, event_id, endpoint_id, type, status, attempts } = delivery;
  const last = attempts.at(-1);
  const response = last === undefined ? undefined : (statusOf(last.status) ?? last.outcome);
  const outcome = hasFailed(delivery) ? "failed" : status === "delivered" ? "ok" : "pending";
  const states = [...new Set([status, stateOf(delivery)])];
  return { fields: { id, event_id, endpoint_id, type, status: states, response, outcome } };
}

/** Returns what a filter searches of an event and its deliveries. It has failed if one of them has. */
export function searchEvent(
  { id, type, livemode, ids }: Omit<EventRow, "created_at">,
  deliveries: readonly DeliveryRow[],
): Searched {
  const all = deliveries.map((delivery) => searchDelivery(delivery).fields);
  const of = (name: string) => all.flatMap((fields) => fields[name] ?? []);
  return {
    fields: {
      ...ids,
      id,
      type,
      livemode,
      environment: livemode ? "live" : "sandbox",
      delivery: of("id"),
      endpoint_id: of("endpoint_id"),
      status: of("status"),
      response: of("response"),
      outcome: of("outcome"),
    },
  };
}

/** Returns the ids of the object of an event: its own as `object`, and those of others, such as `subscriber_id`. */
export function idsOf(data?: { readonly [field: string]: unknown }): Record<string, string> {
  const object = data?.["object"];
  if (typeof object !== "object" || object === null) return {};
  const ids = Object.entries(object).filter(
    (entry): entry is [string, string] => /(^|_)id$/.test(entry[0]) && typeof entry[1] === "string",
  );
  return Object.fromEntries(ids.map(([name, id]) => [name === "id" ? "object" : name, id]));
}

const FIRST_ERROR = 400;

/** Returns a status and its class, such as `404` and `4xx`. */
function statusOf(status: number | undefined): readonly FieldValue[] | undefined {
  return status === undefined ? undefined : [status, `${Math.floor(status / 100)}xx`];
}
