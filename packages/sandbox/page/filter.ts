import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { describeMatches, filterRecords, type Searched } from "../src/engine/controls/filter.ts";
import type { BodyMatches } from "../src/engine/controls/wire.ts";
import { call } from "./api.ts";
import type { FilterField } from "./master-detail.tsx";
import type { Selection } from "./views.ts";

/** What a list filters, and where the sandbox searches the bodies of its records. */
export interface Filtering<T> {
  readonly searchOf: (record: T) => Searched;
  readonly bodyOf: (record: T) => string | number;
  readonly bodies: "requests" | "events";
  /** What a record is called. */
  readonly one: string;
}

/** Returns the records that the words fit, in their fields first, then in bodies. `none` is what a list without a record says. */
export function useFilter<T extends object>(
  records: readonly T[],
  { words, onWords }: Selection,
  { searchOf, bodyOf, bodies, one }: Filtering<T>,
): { readonly found: readonly T[]; readonly field: FilterField; readonly none: string } {
  const known = useMemo(() => remembering(searchOf), [searchOf]);
  const named = useMemo(() => filterRecords(records, words, known), [records, words, known]);
  const unmatched = named.matches.filter(({ fields }) => fields.length === 0);
  // A full list has the same length with each new record.
  const last = records.at(-1);
  const version = last && bodyOf(last);
  const inside = useBodies(unmatched.map(({ word }) => word).join(" "), version);
  const { found, matches } = useMemo(() => {
    const ids = new Map(
      Object.entries(inside ?? {}).map(([word, of]) => {
        const headers = new Set<string | number>(bodies === "requests" ? of.headers : []);
        return [word, { headers, body: new Set<string | number>(of[bodies]) }];
      }),
    );
    const searchAll = (record: T): Searched => ({
      ...known(record),
      inside: (word) =>
        PLACES.filter((place) => ids.get(word)?.[place].has(bodyOf(record)) === true),
    });
    return ids.size === 0 ? named : filterRecords(records, words, searchAll);
  }, [named, inside]);
  const isSearching = inside === undefined;
  const said = describeMatches(matches, isSearching);
  return {
    found,
    field: { words, onWords, said, found: found.length, total: records.length },
    none: isSearching ? "Searching bodies …" : `No ${one} fits the filter.`,
  };
}

const PLACES = ["headers", "body"] as const;

/** Reads each record once, because all are filtered again with each one that arrives. A record that changes is another object. */
function remembering<T extends object>(searchOf: (record: T) => Searched): typeof searchOf {
  const known = new WeakMap<T, Searched>();
  return (record) => {
    const found = known.get(record) ?? searchOf(record);
    known.set(record, found);
    return found;
  };
}

/** Milliseconds without a key, or after a new record, before the sandbox searches. */
const PAUSE = 300;

const NOWHERE: BodyMatches = {};

/** Returns what contains each word in its headers or bodies, `undefined` until it is known. `version` changes when there may be others. */
function useBodies(words: string, version: string | number | undefined): BodyMatches | undefined {
  const [known, setKnown] = useState({ words: "", version, found: NOWHERE });
  const latest = useRef(version);
  latest.current = version;
  const isCurrent = words === "" || (known.words === words && known.version === version);
  // Not with each version: records that keep arriving would end each search before its response.
  useEffect(() => {
    if (isCurrent) return;
    const left = new AbortController();
    const search = async (): Promise<void> => {
      const asked = { words, version: latest.current };
      const route = `GET /sandbox/search?${new URLSearchParams({ words })}`;
      // Without a response, the filter finds what the list shows.
      const found = await call<BodyMatches>(route, { signal: left.signal }).catch(() => NOWHERE);
      if (!left.signal.aborted) setKnown({ ...asked, found });
    };
    const timer = setTimeout(() => void search(), PAUSE);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [words, isCurrent, known]);
  if (words === "") return NOWHERE;
  return known.words === words ? known.found : undefined;
}
