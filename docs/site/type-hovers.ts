import { join } from "node:path";
import { createTransformerFactory } from "@shikijs/twoslash/core";
import ts from "typescript";
import { createTwoslasher } from "twoslash";

const docs = join(import.meta.dirname, "..");
const { options = {} } =
  ts.getParsedCommandLineOfConfigFile(
    join(docs, "tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  ) ?? {};
const LONGEST = 240;

/**
 * Adds the type of each name to a sample that is marked `twoslash`, as an attribute, which the theme shows on hover. The
 * usual renderer adds several elements for each name.
 */
export const typeHovers = createTransformerFactory(
  createTwoslasher({
    tsModule: ts,
    vfsRoot: docs,
    // The samples have tests of their own.
    handbookOptions: { noErrorValidation: true },
    compilerOptions: { ...options, noEmit: true },
  }),
  {
    nodeStaticInfo: ({ text }, node) => ({
      type: "element",
      tagName: "span",
      properties: { "data-type": shorten(text) },
      children: [node],
    }),
  },
)({ explicitTrigger: true, throws: false });

function shorten(type: string): string {
  const shown = type.replace(/\(alias\) /g, "").replace(/\nimport .*$/, "");
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)} …` : shown;
}
