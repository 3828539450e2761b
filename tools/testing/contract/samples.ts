import * as z from "zod";
import { responseSchema, type Endpoint, type PageResult } from "@fieldmesh/http/internal";
import { describe, expect, test } from "vitest";
import { type RowUnderTest, wireParts } from "../services.ts";
import type { SampledRow } from "../../../packages/sandbox/src/engine/serve/with-samples.ts";

/** The sample of each row, in the documents and the sandbox, is one that a service could send. */
export function testSamples(rows: readonly RowUnderTest[]): void {
  describe.each(rows)("the sample of $call", ({ call, row }) => {
    test("has no empty strings, lists and records, except those that its service sends", () => {
      expect(emptyPlaces(row.sample).filter((place) => !MAY_BE_EMPTY.test(place))).toEqual([]);
    });

    test("contains the record that the call names", () => {
      const { path } = wireParts(row);
      const asked = Object.entries(path).filter(([name]) =>
        row.route.split(" ")[1]!.endsWith(`:${name}`),
      );
      const output = JSON.stringify(row.sample.output);
      if (isShown(row))
        for (const [, value] of asked) expect(output).toContain(JSON.stringify(value));
    });

    test("returns the values of the input in the fields that the response shares", () => {
      const { body } = wireParts(row);
      const { data = row.sample.output } = Object(row.sample.output) as { data?: unknown };
      for (const record of [data].flat() as unknown[]) {
        const returned = Object.entries(Object(record)).filter(([name]) => name in body);
        expect(Object.fromEntries(returned)).toEqual(
          Object.fromEntries(returned.map(([name]) => [name, body[name]])),
        );
      }
    });

    test("has the fields that identify its records, and the time for lists that are split by time", () => {
      if (!isPage(row.result)) return;
      const { key, parts } = row.result;
      const [record = {}] = (row.sample.output as { data: Record<string, unknown>[] }).data;
      // A reward has no id. All other records of lists have one.
      if (key === undefined) expect(call).toMatch(/rewards$/i);
      else expect(key.filter((field) => record[field] == null)).toEqual([]);
      expect(key).not.toEqual([]);
      if (parts === undefined) return;
      const time = record[parts.field];
      expect(typeof time === "number" ? time : parts.readTime(String(time), 0)).toBeGreaterThan(0);
      for (const name of [parts.min, parts.max])
        if (name !== undefined) expect(Object.keys(row.query)).toContain(name);
    });

    test("has schemas whose enums contain no empty and no duplicate word", () => {
      const parts = [z.object(row.path), z.object(row.query), row.body, responseSchema(row)];
      for (const part of parts) {
        const words =
          part === undefined
            ? []
            : wordsOf(z.toJSONSchema(part, { io: "input", unrepresentable: "any", cycles: "ref" }));
        for (const list of words) {
          expect(list.filter((word) => !/\S/.test(String(word)))).toEqual([]);
          expect(new Set(list).size).toBe(list.length);
        }
      }
    });
  });
}

/** Returns whether the response contains the record with the requested id. */
function isShown(row: SampledRow): boolean {
  const { output } = row.sample;
  const { data = output } = Object(output) as { data?: unknown };
  return row.route.startsWith("GET ") && typeof data === "object";
}

function isPage(result: Endpoint["result"]): result is PageResult {
  return "kind" in result && result.kind === "page";
}

// Calls without input, and fields that are often empty: links of a new record, the hash of a block without a snapshot, reasons without a cause.
const MAY_BE_EMPTY = /\.(input|labels|devices|mac|snapshot_hash|reasons)$/;

/** Returns the places of empty strings, lists and records in a value. */
function emptyPlaces(value: unknown, place = ""): string[] {
  if (value === "") return [place];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  if (entries.length === 0) return [place];
  return entries.flatMap(([key, child]) => emptyPlaces(child, `${place}.${key}`));
}

/** Returns the words of each open and each closed enum in a JSON Schema. */
function wordsOf(schema: unknown): unknown[][] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, child]) =>
    (key === "examples" || key === "enum") && Array.isArray(child) ? [child] : wordsOf(child),
  );
}
