import { limitedFigure, resultCell, SIZES } from "../../tools/results.ts";
import { bundleSize } from "./facts.ts";

/** A measured figure of the landing page. */
export interface Figure {
  readonly value: string;
  /** What the value is of; it continues a sentence that begins with the value. */
  readonly claim: string;
  /** The script that prints it. */
  readonly command: string;
  /** The page that has it, too. */
  readonly link: string;
}

/** Returns the figures as the measurements have written them. Throws if one is not there. */
export function readFigures(): Figure[] {
  const calls = resultCell("gauntlet/results/rows.json", "family", "all", "ended as required");
  const prefetch = limitedFigure(
    "bench/results/ledger-speed.json",
    "prefetch, over a sequential loop",
  );
  const size = bundleSize("@fieldmesh/console-client")!;
  const cpu = limitedFigure(
    "bench/results/calls.json",
    "CPU of a validated GET, ratio to ky, 1 in progress",
  );
  return [
    {
      value: Number(calls).toLocaleString("en"),
      claim: "calls under real faults and attacks, all of which ended as specified",
      command: "gauntlet",
      link: "/project/gauntlet.html#the-rows",
    },
    {
      value: SIZES.ledgerRows.toLocaleString("en"),
      claim: 'rows, each once, despite faults and cursors that expire, with the option "restart"',
      command: "bench -- ledger",
      link: "/project/how-it-is-tested.html",
    },
    {
      value: SIZES.killedEvents.toLocaleString("en"),
      claim: "events, all handled at least once, while receivers were killed thirty times",
      command: "bench -- kills",
      link: "/project/how-it-is-tested.html",
    },
    {
      value: `${prefetch} ×`,
      claim: "the time of a sequential loop, because a walk reads one page ahead",
      command: "bench -- pager",
      link: "/project/comparison.html#a-long-list",
    },
    {
      value: size.first,
      claim: `for the console client before its first call, bundled and gzipped; ${size.all} with what loads later`,
      command: "release -- sizes",
      link: "/project/evaluate.html#size-and-dependencies",
    },
    {
      value: `${cpu} ×`,
      claim: "the CPU time of a ky call, which is the price of validation and the rate limiter",
      command: "bench -- calls",
      link: "/project/comparison.html#a-call",
    },
  ];
}
