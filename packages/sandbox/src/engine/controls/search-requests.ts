import type { RequestDetails } from "../log/logged-request.ts";
import type { WritableLog } from "../log/request-log.ts";
import { nextTurn } from "../time/next-turn.ts";
import type { KeysOf } from "./key-owner.ts";
import { viewRequest } from "./request-details.ts";

/** Requests that are searched before others may use the process. */
const BATCH = 100;

/** Returns the numbers of the requests that contain every word in what the page shows of them: headers, query and bodies. */
export async function searchRequests(
  log: WritableLog,
  words: string,
  keys: KeysOf,
): Promise<number[]> {
  // Two spaces have an empty word between them, which every text includes.
  const wanted = words.toLowerCase().split(/\s/);
  const found: number[] = [];
  for (const [at, { number }] of log.requests().entries()) {
    if (at % BATCH === BATCH - 1) await nextTurn();
    const details = log.find(number);
    if (details === undefined) continue;
    const text = textOf(details, keys);
    if (wanted.every((word) => text.includes(word))) found.push(number);
  }
  return found;
}

/** A hidden value is hidden here too, so that a search does not find it. */
function textOf(details: RequestDetails, keys: KeysOf): string {
  const { program: _program, played: _played, ...shown } = viewRequest(details, keys);
  return JSON.stringify(shown, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  ).toLowerCase();
}
