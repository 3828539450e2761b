import { limitedFigure, resultCell, SIZES } from "../../tools/results.ts";

/** A measured figure of the landing page. */
export interface Figure {
  readonly value: string;
  /** What the value is of; it continues a sentence that begins with the value. */
  readonly claim: string;
  /** The script that prints it. */
  readonly command: string;
  /** The page that explains it. */
  readonly link: string;
}

/** Returns the figures as the measurements have written them. Throws if one is not there. */
export function readFigures(): Figure[] {
  const calls = resultCell("gauntlet/results/rows.json", "family", "all", "ended as required");
  const prefetch = limitedFigure(
    "bench/results/ledger-speed.json",
    "prefetch, over a sequential loop",
  );
  const kilobytes = resultCell(
    "bench/results/imports.json",
    "import",
    "@fieldmesh/console-client",
    "KB in a bundle",
  );
  const cpu = limitedFigure(
    "bench/results/calls.json",
    "CPU of a validated GET, ratio to ky, 1 in progress",
  );
  return [
    {
      value: Number(calls).toLocaleString("en"),
      claim: "calls under real faults and attacks, all of which ended as specified",
      command: "gauntlet",
      link: "/project/gauntlet",
    },
    {
      value: SIZES.ledgerRows.toLocaleString("en"),
      claim: "rows, read through faults and expired cursors, each exactly once",
      command: "bench -- ledger",
      link: "/guides/paging",
    },
    {
      value: SIZES.killedEvents.toLocaleString("en"),
      claim: "events, all handled, although their receivers were killed thirty times",
      command: "bench -- kills",
      link: "/guides/receiving-webhooks",
    },
    {
      value: `${prefetch} ×`,
      claim: "the time of a sequential loop, because a walk reads one page ahead",
      command: "bench -- pager",
      link: "/guides/paging",
    },
    {
      value: `${Math.round(Number(kilobytes))} KB`,
      claim: "for the console client with everything it needs, bundled and gzipped",
      command: "bench -- imports",
      link: "/guides/clients",
    },
    {
      value: `${cpu} ×`,
      claim: "the CPU time of a ky call, which is the price of validation and the rate limiter",
      command: "bench -- calls",
      link: "/project/how-it-is-tested",
    },
  ];
}
