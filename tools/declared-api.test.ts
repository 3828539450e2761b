import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Table } from "../packages/http/src/internal.ts";
import {
  listExports,
  listInputFields,
  listMethods,
  listTypes,
  openEntries,
} from "./declared-api.ts";
import { packages, root } from "./packages.ts";

const program = openEntries();
/** The meanings of more statuses than these make no hover that anyone reads. */
const MOST_MEANINGS = 2;

test("every field that a caller writes has a text in its hover", () => {
  const fields = listInputFields(program);
  expect(fields.length).toBeGreaterThan(1_000);
  const silent = fields.filter(({ text }) => text === "").map(({ name }) => name);
  expect(silent, "write a doc comment in packages/<package>/src, above the field").toEqual([]);
});

test("every name that a package exports has a text in its hover", () => {
  const silent = listTypes(program, /./).flatMap(({ name, text }) => (text === "" ? [name] : []));
  expect(silent, "write a doc comment in packages/<package>/src, beside the name").toEqual([]);
});

test("a field that lost its comment is found", () => {
  const file = join(root, "packages/console-client/src/device.ts");
  const source = readFileSync(file, "utf8");
  const changed = source.replace(/ *\/\*\* The name that the console shows: .*\n/, "");
  expect(changed).not.toBe(source);
  const fields = listInputFields(openEntries({ [file]: changed }));
  const names = fields.filter(({ text }) => text === "").map(({ name }) => name);
  expect([...new Set(names)]).toEqual([
    "console-client: devices.createBatch.devices[].name",
    "console-client: devices.create.name",
    "console-client: devices.createMany[].name",
  ]);
});

describe.each(packages.filter(({ id }) => id.endsWith("-client")))("$id", ({ id, folder }) => {
  const methods = listMethods(program).filter(({ name }) => name.startsWith(`${id}: `));

  test("says of every method what it throws, with names that it exports", () => {
    expect(methods).not.toEqual([]);
    const silent = methods.filter(({ throws }) => throws.length === 0).map(({ name }) => name);
    expect(silent, `write @throws above the rows in packages/${id}/src`).toEqual([]);
    const names = methods.flatMap(({ throws }) =>
      [...throws.join().matchAll(/@link (\w+)/g)].map(([, name]) => name),
    );
    expect(names).toContain("CallError");
    expect(listExports(program, id)).toEqual(expect.arrayContaining(names));
  });

  // pnpm hides @fieldmesh/http from a consumer: without it, TypeScript cannot write the declaration of a method.
  test("exports the type that the declaration of a re-exported method names", () => {
    expect(listExports(program, id)).toContain("Open");
  });

  test("says of every method which statuses its row knows", async () => {
    const tables = (await import(join(folder, "src", "endpoints.ts"))) as Record<string, Table>;
    const missing = Object.entries(tables).flatMap(([resource, table]) =>
      Object.entries(table).flatMap(([method, { errors, mayBeAbsent }]) => {
        // The mapper has one resource, whose methods are those of the client.
        const names = [`${id}: ${resource}.${method}`, `${id}: ${method}`];
        const said = methods.find(({ name }) => names.includes(name))?.throws.join("\n");
        // The 404 of a lookup is not an error.
        const isLong = mayBeAbsent || Object.keys(errors).length > MOST_MEANINGS;
        return Object.entries(errors)
          .map(([status, meaning]) => (isLong ? status : `${status}: ${meaning}`))
          .filter((text) => said?.includes(text) !== true)
          .map((text) => `${names[0]}: ${text}`);
      }),
    );
    expect(missing).toEqual([]);
  });
});
