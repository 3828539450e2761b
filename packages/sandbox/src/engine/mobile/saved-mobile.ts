import { parseJson, stringifyJson } from "@fieldmesh/core";
import * as z from "zod/mini";
import type { Random } from "../random.ts";
import type { RateWindows } from "../rate-limit.ts";
import { bodyOf, textResponse } from "../responses.ts";
import { loadWindows, position, savedWindows, saveWindows } from "../time/saved.ts";
import type { RememberedCalls } from "./layers.ts";
import type { MobileState } from "./mobile-state.ts";

/** Records are JSON, because their integers may have any size. */
const records = z.array(z.tuple([z.string(), z.string()]));

/** The data of the mobile service in a snapshot. Its events are those of the webhooks. */
export const savedMobile = z.strictObject({
  subscribers: records,
  subscriptions: records,
  keys: z.array(z.tuple([z.string(), z.enum(["sandbox", "live"])])),
  ids: position,
  windows: savedWindows,
  remembered: z.array(
    z.strictObject({
      name: z.string(),
      until: z.number(),
      request: z.string(),
      response: z.strictObject({
        status: z.int(),
        headers: z.array(z.tuple([z.string(), z.string()])),
        body: z.string(),
      }),
    }),
  ),
});

export type SavedMobile = z.infer<typeof savedMobile>;

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

/** Copies saved data into a new service. */
export function loadMobile(
  saved: SavedMobile,
  { state, windows, remembered }: Omit<MobileMemory, "ids">,
): void {
  loadRecords(state.subscribers, saved.subscribers);
  loadRecords(state.subscriptions, saved.subscriptions);
  state.keys.clear();
  for (const [key, mode] of saved.keys) state.keys.set(key, mode);
  loadWindows(windows, saved.windows);
  for (const { name, until, request, response } of saved.remembered) {
    const { status, headers, body } = response;
    const first = textResponse(body, { status, headers: Object.fromEntries(headers) });
    remembered.set(name, { until, request, response: first });
  }
}

function saveRecords(from: ReadonlyMap<string, object>): z.infer<typeof records> {
  return Array.from(from, ([id, record]) => [id, stringifyJson(record, { reveal: true })]);
}

function loadRecords<R>(to: Map<string, R>, saved: z.infer<typeof records>): void {
  for (const [id, record] of saved) to.set(id, parseJson(record) as R);
}
