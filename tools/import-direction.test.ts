import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importViolations } from "./import-direction.ts";
import { root } from "./packages.ts";

/** Violations of a single file, or of one among others. */
function check(path: string, text: string, others: Record<string, string> = {}): string[] {
  return importViolations(new Map(Object.entries({ ...others, [path]: text })));
}

it("finds nothing in the workspace as it is", () => {
  const patterns = [
    "packages/*/{src,test}/**/*.ts",
    "examples/**/*.ts",
    "bench/**/*.ts",
    "docs/**/*.ts",
  ];
  const paths = globSync(patterns, { cwd: root, exclude: ["**/node_modules/**"] });
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));

  expect(files.size).toBeGreaterThan(0);
  expect(importViolations(files)).toEqual([]);
});

describe("between packages", () => {
  it.each([
    ["core", 'import { send } from "@fieldmesh/http";'],
    ["http", 'import { createConsoleClient } from "@fieldmesh/console-client";'],
    ["console-client", 'import { createSandbox } from "@fieldmesh/sandbox";'],
    ["console-client", 'import { blocks } from "@fieldmesh/ledger-client/endpoints";'],
    ["console-client", 'import ky from "ky";'],
    ["http", 'export { camelCase } from "lodash";'],
    ["http", 'const later = await import("lodash");'],
    ["http", 'export type Client = import("@fieldmesh/console-client").ConsoleClient;'],
    ["console-client", 'import { send } from "../../http/src/index.ts";'],
    ["http", 'import { send } from "@fieldmesh/http";'],
    ["a-package-of-tomorrow", 'import * as z from "zod";'],
  ])("refuses in %s: %s", (name, line) => {
    expect(check(`packages/${name}/src/index.ts`, line)).toHaveLength(1);
  });

  it.each([
    ["http", 'import ky from "ky";'],
    ["http", 'import { Secret } from "@fieldmesh/core";'],
    ["console-client", 'import { record } from "@fieldmesh/core/schema";'],
    ["mobile-client", 'import type { WebhookEvent } from "@fieldmesh/webhook-types";'],
    ["sandbox", 'import { createServer } from "node:http";'],
    ["console-client", '/** import { x } from "@fieldmesh/sandbox"; */'],
  ])("allows in %s: %s", (name, line) => {
    expect(check(`packages/${name}/src/index.ts`, line)).toEqual([]);
  });

  it("lets a test use what stands above it", () => {
    const line = 'import { createSandbox } from "@fieldmesh/sandbox";';
    expect(check("packages/console-client/src/labels.test.ts", line)).toEqual([]);
  });

  it("keeps examples on the published entry points", () => {
    const line = 'import { devices } from "../packages/console-client/src/devices.ts";';
    expect(check("examples/tour.ts", line)).toHaveLength(1);
    expect(check("examples/tour.ts", 'import "@fieldmesh/console-client";')).toEqual([]);
  });
});

describe("inside a package", () => {
  it.each([
    ["packages/core/src/secret.ts", 'import * as z from "zod";'],
    ["packages/core/src/secret.ts", 'import { record } from "./schema/index.ts";'],
    ["packages/core/src/secret.ts", 'import { inspect } from "node:util";'],
    ["packages/console-client/src/labels.ts", 'import { createConsoleClient } from "./client.ts";'],
    ["packages/console-client/src/labels.ts", 'import * as all from "./index.ts";'],
    ["packages/console-client/src/client.ts", 'export * from "./index.ts";'],
    ["packages/sandbox/src/index.ts", 'import { http } from "msw";'],
    ["packages/sandbox/src/index.ts", 'export * from "./msw.ts";'],
  ])("refuses in %s: %s", (path, line) => {
    expect(check(path, line)).toHaveLength(1);
  });

  it.each([
    ["packages/core/src/schema/record.ts", 'import * as z from "zod";'],
    ["packages/core/src/schema/codecs.ts", 'import { Secret } from "../secret.ts";'],
    ["packages/console-client/src/client.ts", 'import { labels } from "./labels.ts";'],
    ["packages/sandbox/src/msw.ts", 'import { http } from "msw";'],
  ])("allows in %s: %s", (path, line) => {
    expect(check(path, line)).toEqual([]);
  });

  it("refuses the rows of another resource, and allows its schemas", () => {
    const labels = {
      "packages/console-client/src/labels.ts":
        'export const Label = 1;\nexport const labels = { get: endpoint("GET /l", {}) };',
    };
    const devices = "packages/console-client/src/devices.ts";

    expect(check(devices, 'import { labels as rows } from "./labels.ts";', labels)).toEqual([
      `${devices} imports ./labels.js: labels holds the rows of another resource`,
    ]);
    expect(check(devices, 'import { Label } from "./labels.ts";', labels)).toEqual([]);
  });
});

describe("zod", () => {
  it.each([
    'import { z } from "zod";',
    'import z from "zod";',
    'import * as z from "zod/v4";',
    'export * from "zod";',
  ])("refuses %s, in tests too", (line) => {
    expect(check("packages/http/src/index.ts", line)).toHaveLength(1);
    expect(check("packages/http/src/index.test.ts", line)).toHaveLength(1);
  });

  it.each(['import * as z from "zod";', 'import type * as z from "zod";'])("allows %s", (line) => {
    expect(check("packages/http/src/index.ts", line)).toEqual([]);
  });
});
