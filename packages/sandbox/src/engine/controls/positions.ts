import { isRecord } from "@fieldmesh/core/internal";
import type { MapperState } from "../mapper/mapper.ts";
import type { Place, Positions } from "./wire.ts";

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
