import { describe, test } from "vitest";
import type { Server } from "../servers.ts";

/** Defines tests that need a server. Without the server, there is one skipped test, whose title contains the reason. */
export function describeWith(server: Server, name: string, tests: (url: string) => void): void {
  const { url } = server;
  const isMissing = url === undefined;
  const title = isMissing ? `${name}: skipped, because ${server.missing}` : name;
  // oxlint-disable-next-line vitest/valid-title -- the caller passes it
  describe.skipIf(isMissing)(title, () => {
    // oxlint-disable-next-line vitest/valid-title, vitest/no-conditional-tests -- a skipped test shows the reason
    if (isMissing) test(title, () => {});
    else tests(url);
  });
}
