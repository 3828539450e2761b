import { NAME, piecesOf } from "./share-declarations.ts";

/** Says in a line what a report has that an earlier one has not, by the names of the exports. */
export function compareReports(before: string, after: string): string {
  const [old, now] = [declarationsIn(before), declarationsIn(after)];
  const added = [...now.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].filter(([name, text]) => old.has(name) && old.get(name) !== text);
  const parts = [
    { what: "added", names: added },
    { what: "removed", names: removed },
    { what: "changed", names: changed.map(([name]) => name) },
  ].filter(({ names }) => names.length > 0);
  return parts.map(({ what, names }) => `${what} ${names.join(", ")}`).join("; ");
}

/** The declarations of a report by name, and the report that has those which it shares. A function may have several. */
function declarationsIn(report: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  for (const piece of piecesOf(report)) {
    const [, home, shared] = /^\/\/ As in (\S+):([^]*)$/m.exec(piece) ?? [];
    // Another section of the same report may declare it.
    for (const name of shared?.match(/\w+/g) ?? [])
      if (!declarations.has(name)) declarations.set(name, `as in ${home}`);
    const name = NAME.exec(piece)?.[1];
    if (name !== undefined) declarations.set(name, (declarations.get(name) ?? "") + piece);
  }
  return declarations;
}
