// A Stryker plugin that leaves out what only types use.

/** The part of a node of Babel that is used. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly callee?: Node;
  readonly id?: Node;
  readonly literal?: Node;
  readonly typeName?: Node;
  readonly typeAnnotation?: Node;
  readonly typeArguments?: { readonly params: readonly Node[] };
}

interface NodePath {
  readonly node: Node;
  readonly parentPath: NodePath | null;
}

/** Returns why the mutants of a node are not counted. */
function shouldIgnore({ node, parentPath }: NodePath): string | undefined {
  // A test of the samples of the clients finds an empty word.
  const hasWords = process.env["MUTATED_PACKAGE"] === "webhook-types";
  if (hasWords && node.type === "StringLiteral" && parentPath?.node.callee?.name === "openEnum")
    return "The schema accepts any string.";
  if (node.type !== "BooleanLiteral") return undefined;
  // With `true` for each name, the compiler requires every name: `Readonly<Record<keyof Options, true>>`.
  const { id } = parentPath?.parentPath?.parentPath?.node ?? {};
  const record = id?.typeAnnotation?.typeAnnotation?.typeArguments?.params[0];
  const [, value] = record?.typeName?.name === "Record" ? (record.typeArguments?.params ?? []) : [];
  return value?.literal?.value === true ? "Only the name is read." : undefined;
}

export const strykerPlugins = [{ kind: "Ignore", name: "types only", value: { shouldIgnore } }];
