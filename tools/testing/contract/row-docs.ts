import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** The doc comment of a row. */
export interface RowDoc {
  readonly text: string;
  readonly tags: readonly string[];
  /** The code of its example. */
  readonly example: string;
}

const cache = new Map<string, ReadonlyMap<string, RowDoc>>();

/** Reads the doc comments of all rows in a folder of sources, by `resource.method`. */
export function readRowDocs(folder: string): ReadonlyMap<string, RowDoc> {
  const known = cache.get(folder);
  if (known !== undefined) return known;
  const docs = new Map<string, RowDoc>();
  for (const name of readdirSync(folder).filter((each) => /(?<!test|test-d)\.ts$/.test(each))) {
    const file = ts.createSourceFile(
      name,
      readFileSync(join(folder, name), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    for (const [call, row] of rowsOf(file)) docs.set(call, docOf(row));
  }
  cache.set(folder, docs);
  return docs;
}

function* rowsOf(file: ts.SourceFile): Generator<[string, ts.Node]> {
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) continue;
      for (const property of initializer.properties.filter(ts.isPropertyAssignment)) {
        const call = ts.isCallExpression(property.initializer)
          ? property.initializer.expression.getText()
          : "";
        if (call === "endpoint") yield [`${name.getText()}.${property.name.getText()}`, property];
      }
    }
  }
}

function docOf(node: ts.Node): RowDoc {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const tags = comments.flatMap((each) => each.tags ?? []);
  return {
    text: comments.map((each) => ts.getTextOfJSDocComment(each.comment) ?? "").join("\n"),
    tags: tags.map((tag) => tag.tagName.text),
    example:
      /```ts\n([^]*?)```/.exec(
        ts.getTextOfJSDocComment(tags.find((tag) => tag.tagName.text === "example")?.comment) ?? "",
      )?.[1] ?? "",
  };
}
