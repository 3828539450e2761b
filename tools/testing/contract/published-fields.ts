import * as z from "zod";
import { contractOf } from "@fieldmesh/core/internal/schema";
import { kindOf, responseSchema } from "@fieldmesh/http/internal";
import { describe, expect, test } from "vitest";
import {
  fieldAt,
  withWrongValue,
  type FullValue,
  type Place,
} from "../../json-schema/full-value.ts";
import { fullValues, operationOf } from "./published-document.ts";
import { rows as all, type RowUnderTest } from "../services.ts";

// Every service may respond with them, and a row names them only if it adds a meaning.
const USUAL = new Set(["401", "429"]);
// Each of its forms accepts fields that another one does not have. Its own tests distinguish them.
const OVERLAPPING = "mapper.ingest";

/** Each row matches the OpenAPI document of its service. */
export function testPublished(rows: readonly RowUnderTest[]): void {
  describe.each(rows)("$call matches the published document:", ({ call, row, service }) => {
    const operation = operationOf(service, row);
    const sharing = all.filter((other) => operationOf(other.service, other.row) === operation);

    test("the errors", () => {
      const responses = operation?.responses ?? {};
      const documented = Object.keys(responses).filter(isError).sort();
      const declared = sharing.flatMap((other) => [other.row.errors, other.service.errors]);
      const own = new Set(declared.flatMap((errors) => Object.keys(errors).filter(isError)));
      expect([...own].sort()).toEqual(documented);
      for (const [status, meaning] of Object.entries(row.errors)) {
        expect(meaning).toMatch(/^[A-Z][\w,]* \w+/);
        expect(responses[status]?.description).toContain(meaning);
      }
    });

    test("the parameters, and which of them are required", () => {
      for (const place of ["path", "query"] as const) {
        const documented = new Map(
          (operation?.parameters ?? [])
            .filter((each) => each.in === place)
            .map((each) => [each.name, each.required || each["x-observed"]?.required === true]),
        );
        const names = new Set(
          sharing.flatMap((other) => [
            ...Object.keys(other.row[place]),
            ...fixedNames(other, place),
          ]),
        );
        if (place === "query") expect([...documented.keys()].sort()).toEqual([...names].sort());
        for (const [name, schema] of Object.entries(row[place])) {
          // If two calls share an operation and only one requires it, it is optional in the document.
          const isRequired =
            place === "path" || documented.get(name) === true || sharing.length > 1;
          expect(z.safeEncode(schema, undefined as never).success).toBe(!isRequired);
          expect(z.safeEncode(schema, [["no such value"]] as never).success).toBe(false);
        }
      }
    });

    test.runIf(kindOf(row.result) !== "text" && call !== OVERLAPPING)(
      "each field of its response, and the place of one that has another type",
      () => {
        const content = operation?.responses[row.status];
        checkFields(
          fullValues(service, content),
          sharing
            .filter((other) => other.row.status === row.status)
            .map((other) => responseSchema(other.row)),
          responseSchema(row),
        );
      },
    );

    test.runIf(row.body !== undefined && call !== OVERLAPPING)(
      "each field of its body, and the place of one that has another type",
      () => {
        const bodies = sharing.flatMap((other) =>
          other.row.body === undefined ? [] : [other.row.body],
        );
        checkFields(
          fullValues(service, operation?.requestBody),
          // The document also contains fields that running deployments require, if the client requires them.
          bodies.flatMap((body) => [body, contractOf(body)]),
          row.body!,
        );
      },
    );
  });
}

/** A value with every field fits one of the schemas, which then rejects each field in turn with a wrong value. */
function checkFields(
  documented: readonly FullValue[],
  schemas: readonly z.core.$ZodType[],
  own: z.core.$ZodType,
): void {
  const fits = (schema: z.core.$ZodType, value: unknown) =>
    z.safeDecode(schema, value as never).success;
  const isOwn = ({ value }: FullValue): boolean => fits(own, value) || fits(contractOf(own), value);
  expect(documented.filter(isOwn).length).toBeGreaterThan(0);
  for (const { value, places } of documented) {
    const fitting = schemas.filter((schema) => fits(schema, value));
    const isNamed = (place: Place): boolean => {
      const wrong = withWrongValue(value, place);
      const named = fitting.map((schema) => placesOf(z.safeDecode(schema, wrong as never).error));
      return named.join().includes(fieldAt(place));
    };
    // The document also contains a form that only other servers send.
    if (fitting.length === 0) continue;
    expect(places.filter((place) => !isNamed(place)).map(({ path }) => path.join("."))).toEqual([]);
  }
}

/** Returns all paths that an error names, as one string. */
function placesOf(error: z.core.$ZodError | undefined): string {
  const inside = (issue: z.core.$ZodIssue): string[] => [
    ...issue.path.map(String),
    ...("errors" in issue ? issue.errors.flat().flatMap(inside) : []),
  ];
  return (error?.issues ?? []).flatMap(inside).join(".");
}

function isError(status: string): boolean {
  return Number(status) >= 400 && !USUAL.has(status);
}

function fixedNames({ row }: RowUnderTest, place: "path" | "query"): string[] {
  return place === "path" ? [] : [...new URLSearchParams(row.route.split("?")[1]).keys()];
}
