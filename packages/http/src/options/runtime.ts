import { checkPromise, mistake, isLoopback } from "@fieldmesh/core/internal";

/** What jsdom lacks, and Jest hides with it. */
const NEEDED = ["Request", "Response", "Headers", "TextDecoder"];

/** Throws a TypeError in a runtime that is too old or lacks what calls need: npm only warns, and the first call would fail halfway. */
export function checkRuntime(): void {
  const missing = NEEDED.filter((name) => !(name in globalThis));
  if (missing.length > 0)
    throw mistake(
      `fieldmesh needs ${missing.join(", ")}, which this environment lacks. In Jest, set testEnvironment: "node" in its configuration, or begin the test file with /** @jest-environment node */.`,
    );
  checkPromise();
}

type Runtime = {
  readonly window?: unknown;
  readonly document?: unknown;
  readonly process?: { readonly versions?: { readonly node?: string } };
};

/**
 * Throws a TypeError for a credential in a web page, because everyone who opens the page could read it. Allows loopback, which is
 * for development, and a custom `fetch`, which may go through a back-end.
 */
export function checkBrowser(
  { hostname }: URL,
  options: { option: string; fetch?: unknown; dangerouslyAllowBrowser?: boolean | undefined },
): void {
  const { option, fetch, dangerouslyAllowBrowser } = options;
  if (!isWebPage() || isLoopback(hostname) || fetch !== undefined) return;
  if (dangerouslyAllowBrowser === true) return;
  throw mistake(
    `This is a web page: everyone who opens it could read ${option}. Make the call in a back-end that the page calls. ` +
      `If only people who may have the key open the page, set dangerouslyAllowBrowser: true.`,
  );
}

/** Workers have no document. Node, Bun and Deno with jsdom have one, but also a version of Node. */
function isWebPage(): boolean {
  const { window, document, process } = globalThis as Runtime;
  return window !== undefined && document !== undefined && process?.versions?.node === undefined;
}
