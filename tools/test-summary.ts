/** What a run of vitest writes with its JSON reporter. */
export interface JsonReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    /** Why a file could not run. */
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Returns what failed, a line each, above a line with the figures of all runs. */
export function sumUp(
  reports: readonly JsonReport[],
  failedTasks: readonly string[],
  shorten: (file: string) => string,
): string {
  const sum = (count: (report: JsonReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const failedTests = reports
    .flatMap(({ testResults }) => testResults)
    .flatMap(({ name, message, assertionResults }) => [
      ...(message ? [`FAILED ${shorten(name)}: ${message}`] : []),
      ...assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName }) => `FAILED ${shorten(name)} > ${fullName}`),
    ]);
  const figures = [
    `${sum((report) => report.numPassedTests)} passed`,
    `${sum((report) => report.numFailedTests)} failed`,
    `${sum((report) => report.numPendingTests)} skipped`,
  ];
  return [
    ...failedTests,
    ...failedTasks.map((task) => `FAILED ${task}`),
    `${figures.join(", ")}, in ${sum(({ testResults }) => testResults.length)} files`,
  ].join("\n");
}
