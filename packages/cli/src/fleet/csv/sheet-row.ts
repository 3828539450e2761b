/** One row of a table below its header. */
export interface SheetRow {
  /**
   * The line of the file at which the row begins, counted from 1. If JSON has several devices in one line, the number of the device, as
   * a negative number.
   */
  readonly line: number;
  readonly cells: readonly string[];
}
