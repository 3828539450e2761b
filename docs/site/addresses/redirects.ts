import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { names } from "../../../tools/packages.ts";
import known from "./known.json" with { type: "json" };
import { currentAddress } from "./moves.ts";

const addresses: Readonly<Record<string, readonly string[]>> = known;

/** Returns the page of each address that a page had and that is elsewhere now, by its heading; the page itself has none. */
function movedFrom(page: string): Map<string, string> {
  const headings = ["", ...(addresses[page] ?? [])].map((heading) => {
    const address = heading === "" ? page : `${page}#${heading}`;
    return [heading, address, currentAddress(address)] as const;
  });
  return new Map(
    headings.filter(([, old, now]) => old !== now).map(([heading, , now]) => [heading, now]),
  );
}

/** Returns the path of an address on the site. */
function pathOf(address: string, base: string): string {
  const [page, heading] = address.split("#");
  return `${base}${page}.html${heading === undefined ? "" : `#${heading}`}`;
}

/** Returns the script that leads a reader of an old heading to where it is now. A browser does not send the heading to a server. */
function leadOn(moved: ReadonlyMap<string, string>, base: string): string {
  const paths = [...moved].map(([heading, now]) => [heading, pathOf(now, base)]);
  return `const to=${JSON.stringify(Object.fromEntries(paths))},at=location.hash.slice(1),now=to[at]??to[""];if(now)location.replace(now)`;
}

/** Returns the script of a page that is still there and has lost some of its headings, or `undefined`. */
export function scriptOf(page: string, base: string): string | undefined {
  const moved = movedFrom(page);
  return moved.size === 0 ? undefined : leadOn(moved, base);
}

/** Writes a page for the address of each page that is no longer there. */
export function writeRedirects(folder: string, base: string): void {
  for (const page of Object.keys(addresses)) {
    const moved = movedFrom(page);
    const now = moved.get("");
    if (now === undefined) continue;
    const path = pathOf(now, base);
    const file = join(folder, `${page}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="${new URL(pathOf(now, ""), names.site).href}">
<script>${leadOn(moved, base)}</script>
<noscript><meta http-equiv="refresh" content="0; url=${path}"></noscript>
<p>This page has moved: <a href="${path}">read it at its new address</a>.</p>
</html>
`,
    );
  }
}

/** Tells whether a page of the built site only leads to another one. */
export function isRedirect(path: string): boolean {
  return movedFrom(path.replace(/\.html$/, "")).has("");
}
