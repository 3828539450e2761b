const LINE_WIDTH = 100;
/** The name under which a declaration of a report is exported. */
export const NAME = /^export (?:declare )?(?:abstract )?(?:\{ (?:\w+ as )?)?(?:[a-z]+ )?(\w+)/m;
const NO_COMMENT = "// (No @packageDocumentation comment for this package)";

/** The code of a report in pieces: its imports, then its declarations. */
export function piecesOf(report: string): string[] {
  const [, code = ""] = /```ts\n([^]*?)\n```/.exec(report) ?? [];
  const pieces = code.replace(NO_COMMENT, "").split(/\n(?=\/\/ (?:@|As in ))|\n\n(?=export )/);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/**
 * Writes a declaration into the first report that has it. The later ones name that report. So a change of what all clients export is one
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
      return [name, ["```ts", ...own, ...lists, "```"].join("\n\n") + "\n"];
    }),
  );
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
