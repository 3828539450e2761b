import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Switch } from "../../packages/sandbox/src/switch.ts";
import { presets } from "../../packages/sandbox/src/engine/services/presets.ts";
import { root } from "../packages.ts";

const PAGE = "docs/guides/sandbox.md";
/** Names a service, or `sandbox` for the options beside the services. */
const MARKED = /(<!-- switches of (\w+) -->\n\n)(?:\|.*\n)*\n?/g;

/** Returns the guide with a table of the switches of each service. Throws if the guide leaves a service out. */
export function withSwitches(switches: readonly Switch[]): Map<string, string> {
  const page = readFileSync(join(root, PAGE), "utf8");
  const left = new Set(switches.map(ownerOf));
  const changed = page.replace(MARKED, (_, mark: string, owner: string) => {
    left.delete(owner);
    return `${mark}${tableOf(switches.filter((each) => ownerOf(each) === owner))}\n`;
  });
  if (left.size > 0) throw new Error(`${PAGE} has no table of ${[...left].join(" and ")}.`);
  return new Map([[PAGE, changed]]);
}

function ownerOf({ option }: Switch): string {
  return option.includes(".") ? (option.split(".")[0] ?? "") : "sandbox";
}

function tableOf(switches: readonly Switch[]): string {
  const rows = switches.map(cellsOf);
  const head = ["option", "values", "what it sets"];
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function cellsOf(each: Switch): string[] {
  const name = each.option.includes(".")
    ? each.option.slice(each.option.indexOf(".") + 1)
    : each.option;
  return [`\`${name}\``, valuesOf(each), each.about.replaceAll("|", "\\|")];
}

/** The values, the default first. */
function valuesOf(each: Switch): string {
  const hosted = hostedValue(each);
  const marked = (value: unknown): string => {
    const marks = [
      ...(same(value, each.default)
        ? ["default", ...(each.note === undefined ? [] : [each.note.replace(/^\((.*)\)$/, "$1")])]
        : []),
      ...(hosted !== undefined && same(value, hosted) ? ["hosted"] : []),
    ];
    return `\`${codeOf(value)}\`${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`;
  };
  const others: readonly unknown[] =
    each.kind === "boolean"
      ? [!each.default]
      : each.kind === "choice"
        ? (each.choices ?? []).filter((choice) => choice !== each.default)
        : hosted === undefined || same(hosted, each.default)
          ? []
          : [hosted];
  return [each.default, ...others].map(marked).join(", ");
}

/** Returns what `deployment: "hosted"` sets, if that is not the default. */
function hostedValue({ option, default: usual }: Switch): unknown {
  const [service = "", name = ""] = option.split(".");
  const preset = (presets as Readonly<Record<string, { readonly hosted: object }>>)[service];
  const value = (preset?.hosted as Readonly<Record<string, unknown>> | undefined)?.[name];
  return value === undefined || same(value, usual) ? undefined : value;
}

function same(one: unknown, other: unknown): boolean {
  return codeOf(one) === codeOf(other);
}

function codeOf(value: unknown): string {
  if (value === null || value === Infinity) return "Infinity";
  return typeof value === "number"
    ? value.toLocaleString("en").replaceAll(",", "_")
    : JSON.stringify(value);
}
