import type { Run } from "../command.ts";
import { readInput, type ListName } from "./export/request.ts";
import { exportToFile } from "./export/export-to-file.ts";
import { exportToFolder } from "./folder/export-to-folder.ts";
import { asksForFolder, readFolderInput } from "./folder/folder-request.ts";

/** Returns the command that exports a list to a file, or with `--partition` to a folder. */
export function exportOf(list: ListName): { readonly run: Run } {
  return {
    async run(context, input) {
      if (!asksForFolder(input)) await exportToFile(context, readInput(list, input));
      else await exportToFolder(context, await readFolderInput(list, input, context.signal));
    },
  };
}
