import { describe, test } from "vitest";
import type { Server } from "../../../bench/receiver/servers.ts";

/** Tests against a server. Without it there is one test, whose name says why it is skipped. */
export function describeWith(server: Server, name: string, tests: (url: string) => void): void {
  const { url } = server;
  const isMissing = url === undefined;
  const title = isMissing ? `${name}: skipped, because ${server.missing}` : name;
  // oxlint-disable-next-line vitest/valid-title -- it is given by the caller
  describe.skipIf(isMissing)(title, () => {
    // oxlint-disable-next-line vitest/valid-title, vitest/no-conditional-tests -- a skipped test is what shows the reason
    if (isMissing) test(title, () => {});
    else tests(url);
  });
}
