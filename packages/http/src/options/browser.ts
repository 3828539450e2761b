import { isLoopback, mistake } from "@fieldmesh/core/internal";

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
