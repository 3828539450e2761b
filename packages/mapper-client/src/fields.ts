import * as z from "zod/mini";
import { record } from "@fieldmesh/core/schema";

/** The four fields that the map needs, by their names on the wire, which are case-sensitive. */
export const FIELDS = ["latitude", "longitude", "altitude", "accuracy"] as const;

/** One of the four fields. */
export type MappingField = (typeof FIELDS)[number];

/** The range of each; running deployments check it, the published spec names the units only. */
export const RANGES: Readonly<Record<MappingField, readonly [least: number, most: number]>> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  altitude: [-500, Infinity],
  accuracy: [0, Infinity],
};

export const positionFields = record({
  /** Decimal degrees, and not exactly 0, which trackers without a fix send. */
  latitude: z.number().check(z.gte(-90), z.lte(90)),
  /** Decimal degrees, and not exactly 0. */
  longitude: z.number().check(z.gte(-180), z.lte(180)),
  /** Whole meters, at least -500. */
  altitude: z.int().check(z.gte(-500)),
  /** Meters, at least 0. */
  accuracy: z.number().check(z.gte(0)),
});

/** Where a device was when it sent. */
export interface Position extends z.output<typeof positionFields> {}
