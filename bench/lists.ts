// Reads a device list of any size, and compares it with the list at once: npm run bench -- lists
import { readInChild } from "./lists/run-list.ts";
import { median } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const MOST_HEAP = 100;
const MANY = 2_000_000;
const FEW = 100_000;
const ENOUGH_HEAP = 2_000;
const ROUNDS = 3;
const MOST_OF_LIST = 1.5;

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

limit("devices read one by one", large.count, { least: MANY });
limit(`most heap for ${MANY} devices (MB)`, large.heap, { most: MOST_HEAP });
limit("processor time of each, compared with list", each / list, { most: MOST_OF_LIST });
finish();
