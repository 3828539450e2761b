import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/packages.ts";

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

const RESULTS = "bench/RESULTS.md";
const GAUNTLET = "docs/project/gauntlet.md";
const TESTED = "docs/project/how-it-is-tested.md";

/** Returns the figures as the files state them that the measurements write. Throws if one is not there. */
export function readFigures(): Figure[] {
  const [calls = ""] = find(GAUNTLET, /^\d+ rows, (\d+) calls, \1 of them ended as required/m);
  const [rows = ""] = find(TESTED, /([\d,]+) rows through faults/);
  const [events = ""] = find(TESTED, /killed thirty times during ([\d,]+) events/);
  const [prefetch = ""] = find(RESULTS, /^\| prefetch, over a sequential loop +\| ([\d.]+)/m);
  const [kilobytes = ""] = find(RESULTS, /^\| @fieldmesh\/console-client +\|.*\| ([\d.]+) +\|$/m);
  const [cpu = ""] = find(
    RESULTS,
    /^\| CPU of a validated GET, ratio to ky, 1 in progress +\| ([\d.]+)/m,
  );
  return [
    {
      value: Number(calls).toLocaleString("en"),
      claim: "calls under real faults and attacks, all of which ended as specified",
      command: "gauntlet",
      link: "/project/gauntlet",
    },
    {
      value: rows,
      claim: "rows, read through faults and expired cursors, each exactly once",
      command: "bench -- ledger",
      link: "/guides/paging",
    },
    {
      value: events,
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

function find(path: string, pattern: RegExp): string[] {
  const found = pattern.exec(readFileSync(join(root, path), "utf8"));
  if (found === null) throw new Error(`${path} has no ${pattern}`);
  return found.slice(1);
}
