const printed = new WeakSet<object>();

/**
 * Calls a function of the caller that only observes, such as a hook. If it throws, or its promise rejects, nothing else
 * changes and the process continues. The first error of each function is printed.
 */
export function notify<Watcher extends object>(
  name: string,
  watcher: Watcher | undefined,
  call: (watcher: Watcher) => unknown,
): void {
  if (watcher === undefined) return;
  const print = (error: unknown): void => {
    if (printed.has(watcher)) return;
    printed.add(watcher);
    try {
      // oxlint-disable-next-line no-console -- a hidden error is worse than a line on stderr
      console.warn(
        `${name} threw an error, which is ignored. Its further errors are not shown.`,
        error,
      );
    } catch {
      // A replaced console throws, or the error cannot be printed.
    }
  };
  try {
    // It may be async, whatever its type says.
    Promise.resolve(call(watcher)).catch(print);
  } catch (error) {
    print(error);
  }
}
