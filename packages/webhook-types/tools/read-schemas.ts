import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const events = join(import.meta.dirname, "..", "src", "events");

/** What one schema file declares: its exported schemas as types, and its families. */
export interface SchemaFile {
  /** The name of the file, without its extension. */
  readonly name: string;
  readonly types: readonly TypeDeclaration[];
  readonly families: readonly Family[];
}

/** A type that is written as a schema. */
export interface TypeDeclaration {
  readonly name: string;
  readonly doc: string | undefined;
  /** The interface that it extends, and its own fields; or the type that it is an alias of. */
  readonly extends?: string | undefined;
  readonly fields?: readonly Field[] | undefined;
  readonly alias?: string | undefined;
}

export interface Field {
  readonly name: string;
  readonly doc: string | undefined;
  readonly isOptional: boolean;
  readonly type: string;
}

/** The events of a family, such as `SimEvents`. */
export interface Family {
  /** Such as `sim_inventory`. */
  readonly name: string;
  /** Such as `SimInventoryEvents`. */
  readonly table: string;
  readonly doc: string | undefined;
  readonly events: readonly EventRow[];
}

export interface EventRow {
  readonly type: string;
  readonly doc: string | undefined;
  /** Only an earlier catalog has it: its doc comment says `@deprecated`. */
  readonly isEarlier: boolean;
  /** What an earlier type is called today, such as `sim.restored`. */
  readonly successor: string | undefined;
  /** Such as `EventOf<"sim.activated", InstallableSim>`. */
  readonly event: string;
}

/** Reads all schema files as they are written. */
export function readSchemas(): SchemaFile[] {
  const helpers = declarationsIn(parse(join(events, "fields.ts")));
  const folder = join(events, "schemas");
  const sources = readdirSync(folder)
    .sort()
    .map((file) => ({ name: file.replace(/\.ts$/, ""), source: parse(join(folder, file)) }));
  const exported = sources.flatMap(({ source }) =>
    declarationsIn(source).filter(({ isExported }) => isExported),
  );
  const named = new Set(exported.map(({ name }) => name));
  return sources.map(({ name, source }) => {
    const own = declarationsIn(source);
    const reader = createReader(named, [...own.filter((each) => !each.isExported), ...helpers]);
    const ofFile = own.filter(({ isExported }) => isExported);
    const isTable = ({ value }: Declaration) => ts.isObjectLiteralExpression(value);
    return {
      name,
      types: ofFile.filter((each) => !isTable(each)).map(reader.typeDeclaration),
      families: ofFile.filter(isTable).map(reader.family),
    };
  });
}

interface Declaration {
  readonly name: string;
  readonly value: ts.Expression;
  readonly doc: string | undefined;
  readonly isExported: boolean;
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

function declarationsIn(source: ts.SourceFile): Declaration[] {
  return source.statements.filter(ts.isVariableStatement).flatMap((statement) =>
    statement.declarationList.declarations.map((declaration) => ({
      name: declaration.name.getText(),
      value: declaration.initializer ?? fail(declaration, "has no value"),
      doc: docOf(statement),
      isExported:
        statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true,
    })),
  );
}

/** Reads the expressions of one file; `helpers` are functions that are read as if their body stood in their place. */
function createReader(named: ReadonlySet<string>, helpers: readonly Declaration[]) {
  return { typeDeclaration, family };

  function typeDeclaration({ name, value, doc }: Declaration): TypeDeclaration {
    const made = withoutSensitive(bodyOf(value));
    const { callee, args } = callOf(made);
    if (callee === "z.extend")
      return { name, doc, extends: baseOf(at(args, 0)), fields: fieldsOf(at(args, 1)) };
    if (!(callee in BASES)) return { name, doc, alias: typeOf(made).type };
    return { name, doc, extends: BASES[callee], fields: fieldsOf(at(args, 0)) };
  }

  function family({ name: table, value, doc }: Declaration): Family {
    const rows = (value as ts.ObjectLiteralExpression).properties.map((property): EventRow => {
      if (!ts.isPropertyAssignment(property))
        return fail(property, "is not an event type with a schema");
      const type = nameOf(property);
      const rowDoc = docOf(property);
      if (rowDoc === undefined) return fail(property, "has no doc comment that says when it fires");
      return {
        type,
        doc: rowDoc,
        isEarlier: rowDoc.includes("@deprecated"),
        successor: successorIn(rowDoc),
        event: eventOf(type, bodyOf(property.initializer)),
      };
    });
    const name = rows[0]?.type.split(".")[0] ?? fail(value, "has no events");
    return { name, table, doc, events: rows };
  }

  function eventOf(type: string, made: ts.Expression): string {
    const { callee, args } = callOf(made);
    // What the statements say does not change the type.
    if (callee === "stating") return eventOf(type, at(args, 0));
    if (callee === "eventData") return `EventOf<"${type}", ${typeOf(at(args, 0)).type}>`;
    if (callee === "changeData")
      return `ChangeOf<"${type}", ${typeOf(at(args, 0)).type}, ${typeOf(at(args, 1)).type}>`;
    const helper = helpers.find((each) => each.name === callee);
    return helper === undefined
      ? `DataOf<"${type}", ${typeOf(made).type}>`
      : eventOf(type, bodyOf(helper.value));
  }

  function baseOf(base: ts.Expression): string {
    const { callee, args } = callOf(base);
    if (callee === "eventData") return `EventData<${typeOf(at(args, 0)).type}>`;
    if (callee === "changeData")
      return `ChangeData<${typeOf(at(args, 0)).type}, ${typeOf(at(args, 1)).type}>`;
    return typeOf(base).type;
  }

  function fieldsOf(shape: ts.Expression): Field[] {
    if (!ts.isObjectLiteralExpression(shape)) return fail(shape, "is not an object of fields");
    return shape.properties.flatMap((property) => {
      if (ts.isSpreadAssignment(property))
        return fieldsOf(helperOf(callOf(property.expression).callee, property));
      if (!ts.isPropertyAssignment(property)) return fail(property, "is not a field");
      return { name: nameOf(property), doc: docOf(property), ...typeOf(property.initializer) };
    });
  }

  function typeOf(schema: ts.Expression): Pick<Field, "type" | "isOptional"> {
    const { callee, args } = callOf(schema);
    const required = (type: string) => ({ type, isOptional: false });
    const inner = () => typeOf(at(args, 0)).type;
    // What a union with `unknown` adds is nothing.
    const or = (type: string, others: string) =>
      type === "unknown" ? type : `${type} | ${others}`;
    if (named.has(callee)) return required(callee);
    switch (callee) {
      case "signedLink":
        return required("string");
      case "z.string":
      case "z.number":
      case "z.boolean":
      case "z.unknown":
      case "z.null":
        return required(callee.slice("z.".length));
      case "z.literal":
        return required(at(args, 0).getText());
      case "z.array":
        return required(`${inner()}[]`);
      case "z.union": {
        const [members] = args;
        if (members === undefined || !ts.isArrayLiteralExpression(members))
          return fail(schema, "is not a list of schemas");
        return required(members.elements.map((member) => typeOf(member).type).join(" | "));
      }
      case "z.nullable":
        return required(or(inner(), "null"));
      case "z.optional":
        return { type: or(inner(), "undefined"), isOptional: true };
      case "z.nullish":
        return { type: or(inner(), "null | undefined"), isOptional: true };
      case "openEnum":
        return required(`OpenEnum<${args.map((value) => value.getText()).join(" | ")}>`);
      case "secret":
        return required("Secret");
      case "sensitive":
        return typeOf(at(args, 1));
      case "guess":
        return typeOf(at(args, 0));
      case "open":
      case "resource":
      case "z.extend": {
        const own = callee === "z.extend" ? 1 : 0;
        if (fieldsOf(at(args, own)).length > 0)
          return fail(schema, "has fields, so it needs a name: export it as a schema of its own");
        return required(BASES[callee] ?? inner());
      }
      default:
        return typeOf(helperOf(callee, schema));
    }
  }

  function helperOf(name: string, node: ts.Node): ts.Expression {
    const helper = helpers.find((each) => each.name === name);
    return helper === undefined
      ? fail(node, `calls ${name}, which cannot be read`)
      : bodyOf(helper.value);
  }
}

/** What the type of a record extends, by the function that makes its schema. */
const BASES: Readonly<Record<string, string | undefined>> = {
  resource: "Resource",
  snapshot: undefined,
  open: "OpenRecord",
};

/** What a function makes: `() => made`, or `shared(() => made)`. */
function bodyOf(value: ts.Expression): ts.Expression {
  if (ts.isParenthesizedExpression(value)) return bodyOf(value.expression);
  if (ts.isArrowFunction(value) && !ts.isBlock(value.body)) return bodyOf(value.body);
  if (ts.isCallExpression(value) && value.expression.getText() === "shared")
    return bodyOf(at(value.arguments, 0));
  return value;
}

function withoutSensitive(made: ts.Expression): ts.Expression {
  const { callee, args } = callOf(made);
  return callee === "sensitive" ? at(args, 1) : made;
}

function callOf(value: ts.Expression): { callee: string; args: readonly ts.Expression[] } {
  if (!ts.isCallExpression(value)) return fail(value, "is not a call that makes a schema");
  return { callee: value.expression.getText(), args: value.arguments };
}

function at(args: readonly ts.Expression[], index: number): ts.Expression {
  const arg = args[index];
  if (arg === undefined) throw new Error(`argument ${index} is missing`);
  return arg;
}

function nameOf({ name }: ts.PropertyAssignment): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name)
    ? name.text
    : fail(name, "is not a plain name");
}

/** The doc comment right before a node, with lines that are not indented. */
function docOf(node: ts.Node): string | undefined {
  return ts
    .getJSDocCommentsAndTags(node)
    .findLast(ts.isJSDoc)
    ?.getText()
    .replaceAll(/\n\s*\*/g, "\n *");
}

function fail(node: ts.Node, why: string): never {
  const source = node.getSourceFile();
  const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  throw new Error(`${source.fileName}:${line}: ${node.getText()} ${why}.`);
}

/** What follows `today` in `@deprecated Of an earlier catalog; today …`. */
function successorIn(doc: string): string | undefined {
  const line = doc.replaceAll(/[\s*]+/g, " ");
  return /@deprecated Of an earlier catalog; today ([^;]+?)\. \/$/
    .exec(line)?.[1]
    ?.replaceAll("`", "");
}
