import { expect, test } from "vitest";
import type { MapperState } from "../mapper/mapper.ts";
import { viewPositions } from "./positions.ts";

/** Returns the hotspots that are shown of uplinks. */
const hotspotsOf = (...uplinks: object[]) =>
  viewPositions({
    uplinks: uplinks.map((uplink) => ({ at: 0, position: {}, uplink })),
  } as unknown as MapperState).hotspots;

const place = { lat: 1, long: 2 };
const metadata = { gateway_lat: "3", gateway_long: "-4.5", gateway_name: "river" };

test.each<[string, object, object[]]>([
  ["no list", { hotspots: { name: "a", ...place } }, []],
  ["an empty list", { hotspots: [] }, []],
  ["no record", { hotspots: [null, "a", 7] }, []],
  ["no place", { hotspots: [{ name: "a" }] }, []],
  ["no latitude", { hotspots: [{ name: "a", long: 2 }] }, []],
  ["no longitude", { hotspots: [{ name: "a", lat: 1 }] }, []],
  ["a place that is no number", { hotspots: [{ name: "a", lat: "north", long: 2 }] }, []],
  ["a place", { hotspots: [{ name: "a", ...place }] }, [{ name: "a", latitude: 1, longitude: 2 }]],
  [
    "an id in place of a name",
    { hotspots: [{ id: "b", ...place }] },
    [{ name: "b", latitude: 1, longitude: 2 }],
  ],
  [
    "a name, before an id",
    { hotspots: [{ id: "b", name: "a", ...place }] },
    [{ name: "a", latitude: 1, longitude: 2 }],
  ],
  [
    "neither a name nor an id",
    { hotspots: [{ name: 7, id: 8, ...place }] },
    [{ name: "hotspot", latitude: 1, longitude: 2 }],
  ],
  [
    "metadata",
    { rxInfo: [{ id: "b", metadata }] },
    [{ name: "river", latitude: 3, longitude: -4.5 }],
  ],
  [
    "its own place and name, before metadata",
    { rxInfo: [{ name: "a", ...place, metadata }] },
    [{ name: "a", latitude: 1, longitude: 2 }],
  ],
  [
    "metadata that is no record",
    { rxInfo: [{ id: "b", ...place, metadata: "none" }] },
    [{ name: "b", latitude: 1, longitude: 2 }],
  ],
  [
    "the first list of two",
    { hotspots: [{ name: "a", ...place }], rxInfo: [{ metadata }] },
    [{ name: "a", latitude: 1, longitude: 2 }],
  ],
  [
    "the second list, where the first is none",
    { hotspots: null, rxInfo: [{ metadata }] },
    [{ name: "river", latitude: 3, longitude: -4.5 }],
  ],
])("hotspots are read from both forms of an uplink: %s", (_name, uplink, hotspots) => {
  expect(hotspotsOf(uplink)).toEqual(hotspots);
});

test("a hotspot that heard two uplinks is shown once, where it was last", () => {
  expect(
    hotspotsOf(
      { hotspots: [{ name: "a", ...place }] },
      { hotspots: [{ name: "a", lat: 5, long: 6 }] },
    ),
  ).toEqual([{ name: "a", latitude: 5, longitude: 6 }]);
});

test("the last 2,000 uplinks are shown with their hotspots, and none before them", () => {
  const uplinks = Array.from({ length: 2_001 }, (_, at) => ({
    at,
    dev_eui: `device ${at}`,
    position: { latitude: 10, longitude: 20 },
    uplink: { hotspots: at < 2 ? [{ name: `hotspot ${at}`, ...place }] : [] },
  }));
  const view = viewPositions({ uplinks } as unknown as MapperState);
  expect(view.uplinks).toHaveLength(2_000);
  expect(view.uplinks[0]).toEqual({ at: 1, name: "device 1", latitude: 10, longitude: 20 });
  expect(view.uplinks.at(-1)?.name).toBe("device 2000");
  expect(view.hotspots).toEqual([{ name: "hotspot 1", latitude: 1, longitude: 2 }]);
});
