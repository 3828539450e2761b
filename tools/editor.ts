import { join } from "node:path";
import ts from "typescript";

/** What an editor shows for a piece of source. It uses the language service of editors. */
export interface Editor {
  /** Returns the hover of the last name in the piece, before any call: its type on one line, its description and its tags. */
  readonly hover: (piece: string) => {
    readonly type: string;
    readonly text: string;
    readonly tags: readonly string[];
  };
  /** Returns the target of "go to definition": the file, and the source from that place on. */
  readonly definition: (piece: string) => { readonly file: string; readonly source: string };
}

/** Opens source as a file in the folder, with the tsconfig of the parent folder. */
export function openEditor(folder: string, source: string): Editor {
  const file = join(folder, "__editor.ts");
  const config = ts.getParsedCommandLineOfConfigFile(
    join(folder, "../tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const read = (name: string): string | undefined =>
    name === file ? source : ts.sys.readFile(name);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => config?.options ?? {},
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: (name) => ts.sys.directoryExists(name),
  });

  function at(piece: string): number {
    const start = source.indexOf(piece);
    if (start === -1) throw new Error(`the source has no ${piece}`);
    return start + piece.replace(/[({].*$/, "").lastIndexOf(".") + 1;
  }

  return {
    hover(piece) {
      const info = service.getQuickInfoAtPosition(file, at(piece));
      return {
        type: ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, " "),
        text: ts.displayPartsToString(info?.documentation),
        tags: (info?.tags ?? []).map(({ name }) => name),
      };
    },
    definition(piece) {
      const [found] = service.getDefinitionAtPosition(file, at(piece)) ?? [];
      const text = ts.sys.readFile(found?.fileName ?? "") ?? "";
      return { file: found?.fileName ?? "", source: text.slice(found?.textSpan.start) };
    },
  };
}
