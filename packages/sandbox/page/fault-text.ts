import type { PlayedFault, RuleView } from "../src/engine/controls/wire.ts";

/** Returns the name of a kind, which options, the terminal and the guides have too. */
export function nameOf({ kind, status }: Pick<PlayedFault, "kind" | "status">): string {
  return kind === "status" && status !== undefined ? `status ${status}` : kind;
}

/** Returns what a rule does, such as `lost: do the work and drop the response, for devices.create, once`. */
export function ruleText(rule: RuleView): string {
  const { service, on, times, skip } = rule;
  const where = on ?? (service === undefined ? "every request" : `every request of ${service}`);
  const often =
    times === "all" ? "until it is switched off" : (times ?? 1) === 1 ? "once" : `${times} times`;
  const after = skip ? `, after the first ${skip}` : "";
  return `${nameOf(rule)}: ${doText(rule)}, for ${where}, ${often}${after}`;
}

/** Returns what a fault did to a request, such as `did the work and dropped the response`. */
export function playedText(fault: PlayedFault): string {
  const { kind, status, ms, afterWork } = fault;
  switch (kind) {
    case "reset":
      return "broke the connection before the work";
    case "lost":
      return "did the work and dropped the response";
    case "truncate":
      return "did the work and cut off the response";
    case "garbage":
      return "did the work and replaced the body";
    case "delay":
      return `did the work ${ms?.toLocaleString("en")} ms late`;
    case "status":
      return afterWork === true
        ? `did the work and responded ${status}`
        : `responded ${status} without the work`;
    case "stale":
      return "responded with an earlier list";
    default:
      return "was played";
  }
}

function doText({ kind, status, ms }: RuleView): string {
  switch (kind) {
    case "reset":
      return "break the connection before the work";
    case "lost":
      return "do the work and drop the response";
    case "truncate":
      return "do the work and cut off the response";
    case "garbage":
      return "do the work and replace the body";
    case "delay":
      return `wait ${ms?.toLocaleString("en")} ms`;
    case "status":
      return `respond ${status} without the work`;
    default:
      return "respond with an earlier list";
  }
}
