import * as z from "@fieldmesh/core/internal/zod";
import { record } from "@fieldmesh/core/internal/schema";

/** The four fields that the map needs. Their names are case-sensitive. */
export const FIELDS = ["latitude", "longitude", "altitude", "accuracy"] as const;

/** One of the four fields. */
export type MappingField = (typeof FIELDS)[number];

/** The range of each field (observed). The published spec only names the units. */
export const RANGES: Readonly<Record<MappingField, readonly [least: number, most: number]>> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  altitude: [-500, Infinity],
  accuracy: [0, Infinity],
};

const position = {
  /** Decimal degrees; from -90 to 90, and not exactly 0, which trackers without a fix send (observed). */
  latitude: z.number(),
  /** Decimal degrees; from -180 to 180, and not exactly 0 (observed). */
  longitude: z.number(),
  /** Whole meters; at least -500 (observed). */
  altitude: z.int(),
  /** Meters; at least 0 (observed). */
  accuracy: z.number(),
};

export const positionFields = record(position);

/** The same fields, with any others that a decoder returns. */
export const openPosition = z.looseObject(position);

/** The position of a device when it sent. */
export interface Position extends z.output<typeof positionFields> {}
