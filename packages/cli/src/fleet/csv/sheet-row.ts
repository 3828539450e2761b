/** One row of a table below its header. */
export interface SheetRow {
  /** The line of the file at which the row begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}
