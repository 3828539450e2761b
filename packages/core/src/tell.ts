const printed = new WeakSet<object>();

/**
 * Calls a function of the caller's that only watches, such as a hook. What it throws, or rejects with where it is async, changes nothing and does not end the process; the first
 * error of each function is printed.
 *
 * @example
 * ```ts
 * tell("onReport", options.onReport, (onReport) => onReport(report));
 * ```
 */
export function tell<Watcher extends object>(
  name: string,
  watcher: Watcher | undefined,
  call: (watcher: Watcher) => unknown,
): void {
  if (watcher === undefined) return;
  const print = (error: unknown): void => {
    if (printed.has(watcher)) return;
    printed.add(watcher);
    try {
      // oxlint-disable-next-line no-console -- an error that nobody sees is worse than a line on stderr
      console.warn(
        `${name} threw, which changes nothing. Further errors of it are not shown.`,
        error,
      );
    } catch {
      // The console was replaced by one that throws, or the error cannot be printed.
    }
  };
  try {
    // It may be async, whatever its type says.
    Promise.resolve(call(watcher)).catch(print);
  } catch (error) {
    print(error);
  }
}
