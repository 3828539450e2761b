import { parseJson, stringifyJson } from "@fieldmesh/core";
import type { Random } from "../random.ts";
import type { RateWindows } from "../serve/rate-limit.ts";
import { bodyOf, textResponse } from "../serve/responses.ts";
import { saveWindows } from "../saved/saved.ts";
import type { SavedMobile } from "../saved/snapshot-schema.ts";
import type { RememberedCalls } from "./layers.ts";
import type { MobileState } from "./mobile-state.ts";

export type { SavedMobile };

type Records = SavedMobile["subscribers"];

/** All that the mobile service remembers. */
export interface MobileMemory {
  readonly state: MobileState;
  readonly ids: Random;
  readonly windows: RateWindows;
  readonly remembered: RememberedCalls;
}

/** Copies what the mobile service remembers. A call that is in progress belongs to this sandbox only. */
export function saveMobile({ state, ids, windows, remembered }: MobileMemory): SavedMobile {
  return {
    subscribers: saveRecords(state.subscribers),
    subscriptions: saveRecords(state.subscriptions),
    keys: [...state.keys],
    ids: ids.position(),
    windows: saveWindows(windows),
    remembered: [...remembered].flatMap(([name, { until, request, response }]) => {
      const body = response && bodyOf(response);
      if (response === undefined || body === undefined) return [];
      const { status, headers } = response;
      return [{ name, until, request, response: { status, headers: [...headers], body } }];
    }),
  };
}

export function loadMobile(
  saved: SavedMobile,
  { state, remembered }: Pick<MobileMemory, "state" | "remembered">,
): void {
  loadRecords(state.subscribers, saved.subscribers);
  loadRecords(state.subscriptions, saved.subscriptions);
  state.keys.clear();
  for (const [key, mode] of saved.keys) state.keys.set(key, mode);
  for (const { name, until, request, response } of saved.remembered) {
    const { status, headers, body } = response;
    const first = textResponse(body, { status, headers: Object.fromEntries(headers) });
    remembered.set(name, { until, request, response: first });
  }
}

function saveRecords(from: ReadonlyMap<string, object>): Records {
  return Array.from(from, ([id, record]) => [id, stringifyJson(record, { reveal: true })]);
}

function loadRecords<R>(to: Map<string, R>, saved: Records): void {
  for (const [id, record] of saved) to.set(id, parseJson(record) as R);
}
