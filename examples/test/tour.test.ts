import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runExample } from "./run.ts";

const SECONDS = 1_000;

test(
  "the tour ends well, prints plainly when piped, and shows no key",
  async () => {
    const { code, output } = await runExample("tour.ts");
    expect(output).toContain("That was the tour.");
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- an escape sequence is what is looked for
    expect(output).not.toMatch(/\u001b\[/);
    expect(output).not.toContain("t0ken");
    const inventory = readFileSync(join(import.meta.dirname, "../data/inventory.csv"), "utf8");
    for (const key of inventory.matchAll(/\b[0-9A-F]{32}\b/gi))
      expect(output).not.toContain(key[0]);
  },
  30 * SECONDS,
);

test(
  "the tour explains each bad row of the inventory",
  async () => {
    const { output } = await runExample("tour.ts");
    expect(output).toContain("created: 2465");
    expect(output.match(/^ {2}line +\d+ {2}\S/gm)).toHaveLength(35);
  },
  30 * SECONDS,
);

test(
  "the tour's receiver handles what is duplicated once, what met a crash again, and lives with the unknown",
  async () => {
    const { output } = await runExample("tour.ts");
    const chapter = output.slice(output.indexOf("10. Webhooks"), output.indexOf("11. All four"));
    expect(chapter.match(/^ {2}activated: /gm)).toHaveLength(3);
    expect(chapter).toContain("duplicate, answered 200");
    expect(chapter).toContain("left alone: drone.landed");
    expect(chapter).toContain("5 deliveries, 6 attempts, 5 delivered.");
    expect(chapter).not.toContain("whsec_");
  },
  30 * SECONDS,
);

test(
  "the tour takes an uplink from a new device to the map, and a subscriber's event to a typed handler",
  async () => {
    const { output } = await runExample("tour.ts");
    const chapter = output.slice(output.indexOf("11. All four"));
    expect(chapter).toContain("forwarder: 0004A30B00F1E1D5 forwarded");
    expect(chapter).toContain("altitude: rounded to whole meters");
    expect(chapter.match(/^ {2}map: .*$/gm)).toEqual([
      '  map: 0004A30B00F1E1D5 is at {"latitude":47.3769,"longitude":8.5417,"altitude":409,"accuracy":4.5}',
    ]);
    expect(chapter).toContain("forwarder: 0004A30B00F1E1D5 left_out");
    expect(chapter.match(/^ {2}event of uplink \d: Request sent to Map forwarder$/gm)).toHaveLength(
      2,
    );
    expect(chapter).toMatch(/height: \d{6}/);
    const [, id] = /^ {2}receiver: (sub_\w+) created, e-mail null$/m.exec(chapter)!;
    expect(chapter).toContain(`id: '${id}'`);
    expect(chapter).toContain("outcome: 'accepted'");
    expect(chapter.match(/^ {4}email: .*$/gm)).toEqual([
      "    email: 'ada@example.com',",
      "    email: null,",
    ]);
    expect(chapter).not.toMatch(/Bearer|whsec_|[sr]k_sandbox|5F1D3A7C/);
  },
  30 * SECONDS,
);

test("the tour uses published entry points only", () => {
  const importsOf = (file: string) => {
    const source = readFileSync(join(import.meta.dirname, "..", file), "utf8");
    return [...source.matchAll(/from "([^"]+)"/g)].map(([, name]) => name!);
  };
  const imports = importsOf("tour.ts");
  for (const chapter of imports.filter((name) => name.startsWith("./tour-")))
    for (const name of importsOf(chapter)) expect(name).toMatch(/^(@fieldmesh\/|node:|\.\/)/);
  expect(imports).toEqual([
    "@fieldmesh/console-client",
    "@fieldmesh/sandbox",
    "./inventory.ts",
    "./terminal.ts",
    "./tour-ledger.ts",
    "./tour-together.ts",
    "./tour-webhooks.ts",
  ]);
});
