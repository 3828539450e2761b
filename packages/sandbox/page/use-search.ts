import { useEffect, useState } from "preact/hooks";
import { call } from "./api.ts";

/** Milliseconds without a key or a new request before the sandbox searches. */
const PAUSE = 300;
const NONE: ReadonlySet<number> = new Set();

/** Returns the requests whose headers or bodies contain the words. `version` changes when there may be others. */
export function useSearch(words: string, version: number): ReadonlySet<number> {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (words.trim() === "") {
      setFound(NONE);
      return;
    }
    const left = new AbortController();
    const search = async (): Promise<void> => {
      const query = new URLSearchParams({ words });
      const numbers = await call<number[]>(`GET /sandbox/search?${query}`, { signal: left.signal });
      setFound(new Set(numbers));
    };
    // Without an answer, the filter finds what the list shows.
    const timer = setTimeout(() => void search().catch(() => setFound(NONE)), PAUSE);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [words, version]);
  return found;
}
