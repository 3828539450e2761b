import * as z from "@fieldmesh/core/internal/zod";
import { record } from "@fieldmesh/core/internal/schema";

/** One of the four fields that the map needs. Their names are case-sensitive. */
export type MappingField = keyof Position;

/** The range of each field (observed). The published spec only names the units. */
export const RANGES: Readonly<Record<MappingField, readonly [least: number, most: number]>> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  altitude: [-500, Infinity],
  accuracy: [0, Infinity],
};

/** The four fields. */
export const FIELDS = /* @__PURE__ */ Object.keys(RANGES) as MappingField[];

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
