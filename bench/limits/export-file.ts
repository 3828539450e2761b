import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { ParallelCheckpoint, Reward } from "@fieldmesh/ledger-client";

/** What a child exports. */
export interface ExportTask {
  readonly baseUrl: string;
  readonly query: {
    readonly address: string;
    readonly min_time: string;
    readonly max_time: string;
  };
  readonly file: string;
  readonly lanes: number;
}

/** Every line has the same length, so that a number of items is a position in the file. */
const LINE = 80;

/** Opens the file of an export, cut to what its checkpoint covers. */
export function openExport(file: string) {
  const checkpoint = existsSync(`${file}.checkpoint`)
    ? (JSON.parse(readFileSync(`${file}.checkpoint`, "utf8")) as ParallelCheckpoint)
    : undefined;
  const handle = openSync(file, existsSync(file) ? "r+" : "w+");
  const start = (checkpoint?.items ?? 0) * LINE;
  ftruncateSync(handle, start);
  let position = start;
  return {
    checkpoint,
    write(rewards: readonly Reward[], next: ParallelCheckpoint): void {
      const lines = rewards.map(
        ({ block, gateway }) => `${block} ${gateway}`.padEnd(LINE - 1) + "\n",
      );
      position += writeSync(handle, lines.join(""), position);
      writeFileSync(`${file}.checkpoint.new`, JSON.stringify(next));
      renameSync(`${file}.checkpoint.new`, `${file}.checkpoint`);
    },
    close: () => closeSync(handle),
  };
}

/** Counts the missing and the repeated items of a finished export. */
export function countOf(file: string, expected: number): { missing: number; doubled: number } {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const { size } = new Set(lines);
  return { missing: expected - size, doubled: lines.length - size };
}
