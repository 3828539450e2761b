import { readSourceTypes } from "../../docs/documents/source-types.ts";
import type { Switch } from "../../packages/sandbox/src/switch.ts";
import { withSwitches } from "./table.ts";

/** Where the options of the sandbox are declared. */
const SOURCE = "packages/sandbox/src/index.ts";

/** The options of each service, and those of the whole sandbox that are switches too. */
const INTERFACES = {
  console: "ConsoleOptions",
  ledger: "LedgerOptions",
  mapper: "MapperOptions",
  mobile: "MobileOptions",
} as const;
const OF_THE_SANDBOX = ["cors", "logSize", "logBytes"];

type Types = ReturnType<typeof readSourceTypes>;
type Type = NonNullable<ReturnType<Types["field"]>>;

/** Reads the switches of the sandbox from the doc comments of its options. Throws for one whose comment lacks a part. */
export function readSwitches(): Switch[] {
  const types = readSourceTypes([SOURCE]);
  const of = (declared: string, path: readonly string[], names?: readonly string[]): Switch[] => {
    const type = types.declaredIn(SOURCE, declared);
    return (names ?? types.fieldsOf(type)).flatMap((name) =>
      readSwitch(types, type, [...path, name]),
    );
  };
  return [
    ...of("StartOptions", [], OF_THE_SANDBOX),
    ...Object.entries(INTERFACES).flatMap(([service, name]) => of(name, [service])),
  ];
}

function readSwitch(types: Types, owner: Type, path: readonly string[]): Switch[] {
  const name = path.at(-1) ?? "";
  const option = path.join(".");
  const { description, fallback } = types.textOfField(owner, name);
  const members = types.members(types.field(owner, name));
  const [type] = members;
  if (type === undefined || description === undefined)
    throw new Error(`${option} needs a doc comment.`);
  const primitive = types.primitiveOf(type);
  const element = primitive === undefined ? types.element(type) : undefined;
  if (primitive === undefined && element === undefined)
    return types.fieldsOf(type).flatMap((field) => readSwitch(types, type, [...path, field]));
  const choices = choicesOf(element === undefined ? members : types.members(element));
  const kind = element !== undefined ? "list" : choices !== undefined ? "choice" : primitive;
  if (kind === "string" || kind === undefined)
    throw new Error(`${option} is a string of any kind, which no switch is.`);
  const isOff = kind === "boolean" && fallback?.startsWith("true");
  return [
    {
      option,
      flag: `${isOff ? "no-" : ""}${path.map(kebab).join("-")}`,
      kind,
      ...(choices !== undefined && { choices }),
      about: description,
      ...readDefault(option, fallback),
    },
  ];
}

/** The values of a union of strings. */
function choicesOf(members: readonly Type[]): readonly string[] | undefined {
  const names = members.flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
  return names.length === members.length ? names : undefined;
}

const DEFAULT =
  /^(?:"(?<text>.*?)"|\[(?<list>.*?)\]|(?<word>\w+(?:\.\d+)?))(?:(?: - | )(?<note>.+))?$/;

/** Reads `@default`: a value as in TypeScript, or "none" for an empty list, and what else it says. */
function readDefault(option: string, tag = ""): Pick<Switch, "default" | "note"> {
  const { text, list, word, note } = DEFAULT.exec(tag)?.groups ?? {};
  if (text === undefined && list === undefined && word === undefined)
    throw new Error(`${option} needs a @default.`);
  const value =
    text ??
    (list === undefined
      ? WORDS.has(word ?? "")
        ? (WORDS.get(word ?? "") ?? null)
        : Number(word?.replaceAll("_", ""))
      : list.split(/,\s*/).map((each) => each.replaceAll('"', "")));
  return { default: value, ...(note !== undefined && { note }) };
}

/** JSON has no Infinity, and no option is `null`. */
const WORDS: ReadonlyMap<string, Switch["default"]> = new Map<string, Switch["default"]>([
  ["none", []],
  ["true", true],
  ["false", false],
  ["Infinity", null],
]);

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Makes what is written from the doc comments of the sandbox's options: the switches of its program and its page, and the tables of the guide. */
export function generateSwitches(): Map<string, string> {
  const switches = readSwitches();
  return new Map([
    ["packages/sandbox/src/generated/switches.json", `${JSON.stringify(switches, undefined, 1)}\n`],
    ...withSwitches(switches),
  ]);
}
