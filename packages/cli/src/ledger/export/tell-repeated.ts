import type { ExportState } from "./journal.ts";

/** Returns a sentence about the rows that the ledger has repeated, after a space. It is empty if there are none. */
export function tellRepeated(
  { repeated }: Pick<ExportState, "repeated">,
  { distinct }: Pick<ExportState["request"], "distinct">,
): string {
  if (repeated === 0) return "";
  const [rows, are, them] = repeated === 1 ? ["row was", "is", "it"] : ["rows were", "are", "them"];
  const rest = distinct ? ` and ${are} left out` : `: --distinct leaves ${them} out`;
  return ` ${repeated} ${rows} repeated at the start of a page${rest}.`;
}
