// Reads and exports a device list of any size, and compares reading it with the list at once: npm run bench -- lists
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runWithDevices } from "./lists/run-export.ts";
import { readInChild } from "./lists/run-list.ts";
import { median } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const MOST_HEAP = 100;
const MANY = 2_000_000;
const FEW = 100_000;
const ENOUGH_HEAP = 2_000;
const ROUNDS = 3;
const MOST_OF_LIST = 1.5;
const MOST_OF_EXPORT = 300;
/** The function scrypt, with which age makes the key, needs 256 MB for a second. */
const MOST_OF_ENCRYPTION = 600;

note(`\`devices.each\` reads ${MANY} devices, about a gigabyte, with a heap of ${MOST_HEAP} MB.`);
const large = await readInChild(MANY, { method: "each", rounds: 1, heap: MOST_HEAP });
table([{ devices: large.count, "µs for a device": large.cpu, "most heap (MB)": large.heap }]);

note(`Both methods read ${FEW} devices, each in processes of its own, in turns.`);
const figures = { list: [] as number[], each: [] as number[] };
for (let round = 0; round < ROUNDS; round++)
  for (const method of ["list", "each"] as const) {
    const { cpu } = await readInChild(FEW, { method, rounds: ROUNDS, heap: ENOUGH_HEAP });
    figures[method].push(cpu);
  }
const [list, each] = [median(figures.list), median(figures.each)];
table([
  { method: "list", "µs for a device": list },
  { method: "each", "µs for a device": each },
]);

note(
  `The command line exports ${MANY} devices. The memory is all that its process has held, with Node and its code.`,
);
const folder = mkdtempSync(join(tmpdir(), "bench-lists-"));
const [plain = 0, encrypted = 0, fleet = 0] = await runWithDevices(MANY, [
  ["devices", "export", "--reveal", "--out", join(folder, "devices.csv")],
  ["devices", "export", "--encrypt", "--out", join(folder, "devices.csv.age")],
  ["fleet", "export", "--clear", join(folder, "fleet.json")],
]);
rmSync(folder, { recursive: true });
table([
  { command: "devices export", "most memory (MB)": plain },
  { command: "devices export --encrypt", "most memory (MB)": encrypted },
  { command: "fleet export --clear", "most memory (MB)": fleet },
]);

limit("memory of the larger export (MB)", Math.max(plain, fleet), { most: MOST_OF_EXPORT });
limit("memory of the encrypted export (MB)", encrypted, { most: MOST_OF_ENCRYPTION });
limit("devices read one by one", large.count, { least: MANY });
limit(`most heap for ${MANY} devices (MB)`, large.heap, { most: MOST_HEAP });
limit("processor time of each, compared with list", each / list, { most: MOST_OF_LIST });
finish();
