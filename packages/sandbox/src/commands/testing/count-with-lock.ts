// A program for the tests of the lock: it counts to ten in a state file, and adds each number to a list.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { stateFile } from "../state-file.ts";
import { withLock } from "../with-lock.ts";

const [file = "", expires, pause] = process.argv.slice(2);
const LAST = 10;

try {
  await withLock(
    file,
    async (lock) => {
      const state = stateFile<{ readonly count: number }>(file, { kind: "a test", lock });
      let { count } = (await state.read()) ?? { count: 0 };
      while (count < LAST) {
        await sleep(Number(pause));
        await state.write({ count: ++count });
        appendFileSync(`${file}.list`, `${count}\n`);
      }
    },
    { expires: Number(expires), note: (line) => process.stderr.write(`${line}\n`) },
  );
  process.stderr.write(`Done as process ${process.pid}.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
