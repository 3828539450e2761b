import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";

/** A member that is part of the public API, and that no page names. */
interface Missing {
  readonly entry: string;
  readonly type: string;
  readonly member: string;
}

/** Throws an error that names every member of an exported class or interface that is on no page in a folder. */
export function checkMembers(
  program: ts.Program,
  entries: ReadonlyMap<string, { readonly name: string }>,
  folder: string,
): void {
  const shown = readMembers(folder);
  const missing = [...entries].flatMap(([file, { name: entry }]) =>
    membersOf(program, file).flatMap(([type, members]): Missing[] =>
      members
        .filter((member) => shown.get(type)?.has(member) !== true)
        .map((member) => ({ entry, type, member })),
    ),
  );
  if (missing.length === 0) return;
  throw new Error(
    [
      "These members of public types are on no page of the API reference:",
      ...missing.map(({ entry, type, member }) => `  ${type}.${member} of ${entry}`),
      "Write the type as an interface that extends the types of its members, or mark a member that is not for callers as @internal.",
      "What is left out for all types is in docs/site/write-api.ts.",
    ].join("\n"),
  );
}

/** The members of each type, as its pages name them: in the first column of a table, or as a heading. */
function readMembers(folder: string): Map<string, Set<string>> {
  const members = new Map<string, Set<string>>();
  for (const file of globSync("**/*.md", { cwd: folder })) {
    const type = basename(file, ".md");
    const page = readFileSync(join(folder, file), "utf8");
    const names = members.get(type) ?? new Set();
    members.set(type, names);
    for (const [, cell, heading] of page.matchAll(MEMBER)) names.add(cell ?? heading ?? "");
  }
  return members;
}

const MEMBER = /^\| (?:<a id="[^"]*"><\/a> )?(?:~~)?`([^`?]+)\??`|^### (?:~~)?([\w$]+)/gm;

/** The names of the members of each class and interface that a file exports. */
function membersOf(program: ts.Program, file: string): [type: string, members: string[]][] {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol =
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    // An alias names the types that it is made of.
    if (!(symbol.flags & TYPES)) return [];
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const members = checker.getPropertiesOfType(type).filter((member) => isShown(member));
    return [[exported.name, members.map(({ name }) => name)] as [string, string[]]];
  });
}

const TYPES = ts.SymbolFlags.Class | ts.SymbolFlags.Interface;
const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

/** Tells whether a member is ours, and for callers. A member whose name is a symbol is how a loop or a printer reads a value. */
function isShown({ name, declarations = [] }: ts.Symbol): boolean {
  return (
    !/^(__|#)/.test(name) &&
    declarations.some(
      (declaration) =>
        declaration.getSourceFile().fileName.includes("/packages/") &&
        !(ts.getCombinedModifierFlags(declaration) & HIDDEN) &&
        !ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal"),
    )
  );
}
