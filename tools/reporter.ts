import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

const SKIPPED = "skipped, because";

/** Names what a green run would hide: tests that passed only when retried, and groups that this machine cannot run. */
export default class RemarksReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const remarks = modules.flatMap(({ children }) => [
      ...[...children.allSuites()].flatMap(skippedLine),
      ...[...children.allTests()].flatMap((test) => [...skippedLine(test), ...retriedLine(test)]),
    ]);
    for (const remark of new Set(remarks)) console.log(remark);
  }
}

/** The title of a group, or of a test outside such a group, says why it was skipped. */
function skippedLine({ name }: TestSuite | TestCase): string[] {
  return name.includes(SKIPPED) ? [name] : [];
}

function retriedLine(test: TestCase): string[] {
  return test.diagnostic()?.flaky ? [`flaky, passed when retried: ${test.fullName}`] : [];
}
