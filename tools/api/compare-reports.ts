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

const NAME = /^export (?:declare )?(?:abstract )?(?:\{ (?:\w+ as )?)?(?:[a-z]+ )?(\w+)/m;

/** The declarations of a report by name. A function may have several. */
function declarationsIn(report: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  const [, code = ""] = /```ts\n([^]*?)\n```/.exec(report) ?? [];
  for (const block of code.split(/\n(?=\/\/ @)|\n\n(?=export )/)) {
    const name = NAME.exec(block)?.[1];
    if (name !== undefined) declarations.set(name, (declarations.get(name) ?? "") + block.trim());
  }
  return declarations;
}
