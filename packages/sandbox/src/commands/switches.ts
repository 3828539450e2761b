import type { CommandOption } from "./command.ts";
import type { Switch } from "../switch.ts";
import generated from "../generated/switches.json" with { type: "json" };

/** The switches of the sandbox and its services. They are written from the doc comments of the options, and a test compares them. */
export const switches = generated as readonly Switch[];

export function switchOptions(): readonly CommandOption[] {
  return switches.map((each) => {
    const { flag, kind, choices, option } = each;
    return {
      name: flag,
      description: describe(each),
      ...(kind !== "boolean" && { value: VALUES[kind] }),
      // Each item of a list is checked when the list is split.
      ...(each.kind === "choice" && choices !== undefined && { choices }),
      ...(option.includes(".") && { group: groupName(option) }),
    };
  });
}

const VALUES = { choice: "value", list: "names", number: "number" } as const;

/** A heading of the help, such as `Console`. */
function groupName(option: string): string {
  const [service = ""] = option.split(".");
  return service.charAt(0).toUpperCase() + service.slice(1);
}

/** The doc comment as other options are described: from a lower-case letter to the default, without marks of code. */
function describe(each: Switch): string {
  const text = each.about
    .replace(/`(\w+)`/g, (_, name: string) => flagBeside(each, name) ?? name)
    .replaceAll("`", "")
    .replace(/\.$/, "");
  const listed = each.choices === undefined ? "" : `any of ${each.choices.join(", ")}, `;
  const form = each.kind === "list" ? `${listed}separated by commas; ` : "";
  const first = /^[A-Z](?=[a-z]* )/.test(text) ? text.charAt(0).toLowerCase() : text.charAt(0);
  return `${first}${text.slice(1)} (${form}default: ${defaultText(each)})`;
}

/** Returns the option with which a command line sets another switch of the same service. */
function flagBeside({ option }: Switch, name: string): string | undefined {
  const [service = ""] = option.split(".");
  const found = switches.find((each) => each.option === `${service}.${name}`);
  return found && `--${found.flag}`;
}

/** Returns the default as it is typed, and what the doc comment says of it. */
function defaultText({ kind, default: value, note }: Switch): string {
  const typed = Array.isArray(value) ? value.join(",") || "none" : String(value ?? Infinity);
  const said = note === undefined ? "" : `, ${note.replace(/^\((.*)\)$/, "$1")}`;
  return `${typed}${said}${kind === "boolean" ? `; ${!value} with this option` : ""}`;
}
