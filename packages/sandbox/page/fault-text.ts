import type { FaultsView, PlayedFault, RuleView } from "../src/engine/controls/wire.ts";
import { zonedStamp } from "./format.ts";

/** Returns the name of a kind, which options, the terminal and the guides have too. */
export function nameOf({ kind, status }: Pick<PlayedFault, "kind" | "status">): string {
  return kind === "status" && status !== undefined ? `status ${status}` : kind;
}

/** Tells whether the time of a rule has passed. */
export function isOver({ until = Infinity }: Pick<RuleView, "until">, now: number): boolean {
  return now >= until;
}

/** Tells whether any fault is played now. */
export function arePlayed(faults: FaultsView | undefined, now: number): boolean {
  if (faults?.kind === "rules") return faults.rules.some((rule) => !isOver(rule, now));
  if (faults?.kind === "rate") return !isOver(faults.rate, now);
  return faults?.kind === "function";
}

/** Returns what a rule does, such as `lost: do the work and drop the response, for devices.create, once`. */
export function ruleText(rule: RuleView): string {
  const { service, on, skip } = rule;
  const where = on ?? (service === undefined ? "every request" : `every request of ${service}`);
  const after = skip ? `, after the first ${skip}` : "";
  return `${nameOf(rule)}: ${doText(rule)}, for ${where}, ${oftenText(rule)}${after}`;
}

/** Returns how long a rule is played. */
export function oftenText({ times = 1, until }: RuleView): string {
  if (until !== undefined) return `until ${zonedStamp(until)}`;
  if (times === "all") return "until it is switched off";
  return times === 1 ? "once" : `${times} times`;
}

/** Returns what a fault did to a request, such as `did the work and dropped the response`. */
export function playedText({ kind, status, ms, afterWork }: PlayedFault): string {
  if (kind === "delay") return `did the work ${ms?.toLocaleString("en")} ms late`;
  if (kind !== "status") return DEEDS[kind]?.did ?? "was played";
  return afterWork === true
    ? `did the work and responded ${status}`
    : `responded ${status} without the work`;
}

function doText({ kind, status, ms }: RuleView): string {
  if (kind === "delay") return `do the work ${ms?.toLocaleString("en")} ms late`;
  if (kind === "status") return `respond ${status} without the work`;
  return DEEDS[kind]?.does ?? "play it";
}

/** The faults that read the same with all their options. */
const DEEDS: Readonly<Record<string, { readonly does: string; readonly did: string }>> = {
  reset: {
    does: "break the connection before the work",
    did: "broke the connection before the work",
  },
  lost: {
    does: "do the work and drop the response",
    did: "did the work and dropped the response",
  },
  truncate: {
    does: "do the work and cut off the response",
    did: "did the work and cut off the response",
  },
  garbage: {
    does: "do the work and replace the body",
    did: "did the work and replaced the body",
  },
  stale: { does: "respond with an earlier list", did: "responded with an earlier list" },
};
