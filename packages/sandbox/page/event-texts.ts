import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** What the catalog says of an event type and of the fields of its record. */
export interface EventText {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The interfaces of all events, which `npm run generate -- events` writes. */
const SOURCE = join(import.meta.dirname, "../../webhook-types/src/events/generated/interfaces.ts");

/** Reads the doc comments of all events, by type. */
export function readEventTexts(): Readonly<Record<string, EventText>> {
  const file = ts.createSourceFile(
    SOURCE,
    readFileSync(SOURCE, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const interfaces = new Map(
    file.statements.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, each]),
  );
  const fieldsOf = (name: string): Record<string, string> => {
    const found = interfaces.get(name);
    if (found === undefined) return {};
    const bases = (found.heritageClauses ?? []).flatMap(({ types }) =>
      types.map(({ expression }) => fieldsOf(expression.getText(file))),
    );
    const own = found.members.map((member) => [nameOf(member), textOf(member)]);
    return Object.assign({}, ...bases, Object.fromEntries(own)) as Record<string, string>;
  };
  // One table for each family.
  const families = (interfaces.get("EventMap")?.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => interfaces.get(expression.getText(file))),
  );
  const events = families.flatMap((family) => [...(family?.members ?? [])]);
  return Object.fromEntries(
    events.map((member) => {
      const type = ts.isPropertySignature(member) ? member.type : undefined;
      const fields = namesIn(type).map(fieldsOf);
      return [
        nameOf(member),
        { text: textOf(member), fields: Object.assign({}, ...fields) as Record<string, string> },
      ];
    }),
  );
}

/** The names of all types in a type, in their order. */
function namesIn(type: ts.Node | undefined): string[] {
  if (type === undefined) return [];
  const own = ts.isTypeReferenceNode(type) ? [type.typeName.getText()] : [];
  const inner: string[] = [];
  ts.forEachChild(type, (child) => void inner.push(...namesIn(child)));
  return [...own, ...inner];
}

function nameOf(member: ts.TypeElement): string {
  const { name } = member;
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : "";
}

function textOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(comment?.comment) ?? "")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("`", "");
}
