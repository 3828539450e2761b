import type { LoggedRequest } from "../log/logged-request.ts";
import type { EndpointRecord } from "../webhooks/endpoint.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import { shownUrl } from "../webhooks/shown-url.ts";
import type {
  EndpointRow,
  EventRow,
  RequestRow,
  ClockView,
  FaultsView,
  RuleView,
  Place,
  Positions,
} from "./wire.ts";
import type { Clock } from "@fieldmesh/core";
import { canBeSet, isSteerable } from "../time/clocks.ts";
import type { FaultRate, FaultRule, FaultScript } from "../faults/fault-script.ts";
import { isRecord, shownAddresses } from "@fieldmesh/core/internal";
import type { MapperState } from "../mapper/mapper.ts";
import { idsOf } from "./filter.ts";
import { keyOwner, type KeysOf } from "./key-owner.ts";

/** Characters of a client in a list. */
const LONGEST_CLIENT = 80;

export function toRequestRow(request: LoggedRequest, keys: KeysOf): RequestRow {
  const { number, time, service, row, method, path, status, fault, done } = request;
  // A tenth of a millisecond is what a person can read.
  const duration = request.duration && Math.round(request.duration * 10) / 10;
  const shown = { number, time, service, row, method, path, status, duration, done };
  const agent = request.headers["user-agent"]?.slice(0, LONGEST_CLIENT);
  const client = agent && shownAddresses(agent);
  return { ...shown, fault: fault?.kind, client, key: keyOwner(request, keys) };
}

export function toEventRow({ id, type, created_at, livemode, data }: StoredEvent): EventRow {
  return { id, type, created_at, livemode, ids: idsOf(data) };
}

export function toEndpointRow(endpoint: EndpointRecord): EndpointRow {
  const { id, url, enabled_events, livemode, secrets } = endpoint;
  return { id, url: shownUrl(url), enabled_events, livemode, secrets: secrets.length };
}

export function viewClock(clock: Clock): ClockView {
  const now = clock.now();
  if (isSteerable(clock)) return { now, kind: "steerable", isPaused: clock.paused };
  return canBeSet(clock)
    ? { now, kind: "virtual", isPaused: true }
    : { now, kind: "system", isPaused: false };
}

export function viewFaults(script: FaultScript | undefined): FaultsView {
  if (script === undefined || (Array.isArray(script) && script.length === 0))
    return { kind: "none" };
  if (typeof script === "function") return { kind: "function" };
  if ("rate" in script) return { kind: "rate", rate: script };
  return {
    kind: "rules",
    rules: script.map(({ times, ...rule }) => ({
      ...rule,
      ...(times !== undefined && { times: times === Infinity ? "all" : times }),
    })),
  };
}

/** Reads a script from JSON. It is checked where it is set. */
export function readFaults(view: unknown): FaultScript | undefined {
  if (view === null || view === undefined) return undefined;
  if (!Array.isArray(view)) return view as FaultRate;
  return view.map((rule: RuleView) =>
    rule?.times === "all" ? { ...rule, times: Infinity } : rule,
  ) as FaultRule[];
}

/** More would hide each other. */
const MOST_UPLINKS = 2_000;

/** Returns the positions of the last mapped uplinks, and of the hotspots that heard them. */
export function viewPositions({ uplinks }: MapperState): Positions {
  const last = uplinks.slice(-MOST_UPLINKS);
  const hotspots = new Map<string, Place>();
  for (const { uplink } of last)
    for (const place of hotspotsOf(uplink)) hotspots.set(place.name, place);
  return {
    uplinks: last.map(({ at, dev_eui = "", position }) => ({
      at,
      name: dev_eui,
      latitude: position["latitude"] ?? 0,
      longitude: position["longitude"] ?? 0,
    })),
    hotspots: [...hotspots.values()],
  };
}

/** Reads the hotspots of both forms of an uplink. */
function hotspotsOf(uplink: Readonly<Record<string, unknown>>): Place[] {
  const heard = [uplink["hotspots"], uplink["rxInfo"]].find((each) => Array.isArray(each)) ?? [];
  return heard.flatMap((hotspot: unknown) => {
    if (!isRecord(hotspot)) return [];
    const metadata = isRecord(hotspot["metadata"]) ? hotspot["metadata"] : {};
    const latitude = Number(hotspot["lat"] ?? metadata["gateway_lat"]);
    const longitude = Number(hotspot["long"] ?? metadata["gateway_long"]);
    const names = [hotspot["name"], metadata["gateway_name"], hotspot["id"]];
    const name = names.find((each) => typeof each === "string") ?? "hotspot";
    return Number.isFinite(latitude) && Number.isFinite(longitude)
      ? [{ name, latitude, longitude }]
      : [];
  });
}
