/** Calls a reporter of the caller's. What it throws, at once or later, must not fail the event, nor end the process. */
export function tell(report: () => unknown): void {
  try {
    Promise.resolve(report()).catch(ignore);
  } catch {
    ignore();
  }
}

/** There is nowhere left to report it. */
function ignore(): void {}
