const LINE_WIDTH = 100;
/** A shorter record is easier to read where it is. */
const LEAST_LINES = 4;
/** The name under which a declaration of a report is exported. */
export const NAME = /^export (?:declare )?(?:abstract )?(?:\{ (?:\w+ as )?)?(?:[a-z]+ )?(\w+)/m;
/** What every export and every member would say. Doc comments are tested elsewhere. */
const MARKS =
  /^ *\/\/ (?:@public|\(undocumented\)|@public \(undocumented\)|\(No @packageDocumentation.*)\n?/gm;

/** The code of the sections of a report in pieces: of each its imports, then its declarations. */
export function piecesOf(report: string): string[] {
  return [...report.matchAll(/```ts\n([^]*?)\n```/g)]
    .flatMap(([, code = ""]) => code.split(/\n(?=\/\/ (?:@|As in ))|\n\n(?=\w)/))
    .map((piece) => piece.replace(MARKS, "").trim())
    .filter((piece) => piece !== "");
}

/**
 * Makes a section of each report of an entry. Writes a declaration into the first section that has it. The later ones name that section. So a change of what all clients export is one
 * difference to read, and not five.
 */
export function shareDeclarations(
  reports: readonly (readonly [name: string, text: string])[],
): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  return new Map(
    reports.map(([name, text]) => {
      const shared = new Map<string, string[]>();
      const own = piecesOf(text).filter((piece) => {
        const [, declared] = NAME.exec(piece) ?? [];
        if (declared === undefined) return true;
        const home = homes.get(piece);
        if (home === undefined) homes.set(piece, name);
        else shared.set(home, [...(shared.get(home) ?? []), declared]);
        return home === undefined;
      });
      const lists = [...shared].map(([home, names]) => inLines(`// As in ${home}:`, names));
      const code = [...own.map(shareRecords), ...lists];
      return [name, [`## ${name}`, "```ts", ...code, "```"].join("\n\n") + "\n"];
    }),
  );
}

/** Writes out a record that several members of a declaration have once. The later ones name the first member. */
function shareRecords(declaration: string): string {
  const homes = new Map<string, string>();

  /** `place` is the member that the first line belongs to, such as `devices.list`. */
  function share(lines: readonly string[], path: string, place: string): string[] {
    const [line, ...rest] = lines;
    if (line === undefined) return [];
    const [, indent = "", name] = /^( *)(?:(?:export const )?(\w+)\??:)?/.exec(line) ?? [];
    const end = rest.findIndex((each) => each.startsWith(`${indent}}`));
    if (!line.endsWith("{") || end === -1) return [line, ...share(rest, path, path)];
    const here = name === undefined ? place : `${path}.${name}`.replace(/^\./, "");
    const [record, [close = "", ...others]] = [rest.slice(0, end), rest.slice(end)];
    const key = record.map((each) => each.slice(indent.length)).join("\n");
    const home = homes.get(key);
    if (home !== undefined && record.length >= LEAST_LINES)
      return share([`${line} /* as in ${home} */ ${close.trim()}`, ...others], path, place);
    homes.set(key, here);
    return [line, ...share(record, here, here), ...share([close, ...others], path, here)];
  }

  return share(declaration.split("\n"), "", "").join("\n");
}

function inLines(title: string, names: readonly string[]): string {
  const lines = [title];
  for (const name of names) {
    const longer = `${lines.at(-1)} ${name}`;
    if (longer.length > LINE_WIDTH) lines.push(`//   ${name}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join("\n");
}
