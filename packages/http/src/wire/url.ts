/** Says what is wrong with a path, without its leading slash. It may end in a slash, as some routes do. */
export function checkPath(path: string): string | undefined {
  if (path === "") return undefined;
  const segments = path.replace(/\/$/, "").split("/");
  return segments.map((segment) => checkSegment(segment)).find((problem) => problem !== undefined);
}

/** Says what is wrong with a path value that would leave its segment, in encoded forms too: some servers and proxies decode twice. */
export function checkSegment(value: string, reserved?: ReadonlySet<string>): string | undefined {
  if (value === "") return "must not be empty";
  if (!value.isWellFormed()) return "contains half of a surrogate pair";
  const decoded = decodeFully(value);
  if (decoded === undefined)
    return "contains a percent sequence that is broken or encoded several times";
  // Some servers cut off everything after a semicolon, or after a space, before they resolve "..".
  if (/^\.+([;?#\s]|$)/.test(decoded)) return "must not consist of dots";
  // oxlint-disable-next-line no-control-regex -- the expression searches for control characters
  if (/[/\\\u0000-\u001f\u007f]/.test(decoded))
    return "must not contain a slash, a backslash or a control character";
  if (reserved?.has(decoded.toLowerCase()) === true)
    return "is a word that the path already uses for another endpoint";
  return undefined;
}

// Only IIS reads %u002e, which decodeURIComponent rejects.
const ENCODED = /%u?[0-9a-f]{2}/i;
// No server decodes this often: a value that is still encoded then was made to bypass a check.
const MAX_DECODINGS = 5;

function decodeFully(value: string): string | undefined {
  let decoded = value;
  for (let i = 0; ENCODED.test(decoded); i++) {
    if (i === MAX_DECODINGS) return undefined;
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return undefined;
    }
  }
  // A remaining "%" is an ordinary character of a name. Some servers normalize: U+FF0E then is a dot, and U+FF0F a slash.
  return decoded.normalize("NFKC");
}

/** Returns a path in the form in which equal ones are the same string (RFC 3986, 6.2.2): proxies write %2F as %2f, and %7E as ~. */
export function equalForm(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** Fills the parameters of a path. */
export function fillPath(route: string, path: Readonly<Record<string, unknown>>): string {
  return route.replace(/:([a-z_]+)/gi, (_, name: string) => encodeURIComponent(String(path[name])));
}

/** Returns the URL of an encoded path and a query. Builds a string, because URLSearchParams would write "+" for a blank. */
export function buildUrl(
  base: URL,
  path: string,
  query: readonly (readonly [name: string, value: string])[],
  fixedQuery?: string,
): string {
  return base.origin + base.pathname.replace(/\/$/, "") + path + writeSearch(query, fixedQuery);
}

/** Returns the query of a URL with its question mark, or an empty string. `fixed` comes first, unchanged. */
function writeSearch(
  pairs: readonly (readonly [name: string, value: string])[],
  fixed?: string,
): string {
  const search = pairs.map((pair) => pair.map(encodeURIComponent).join("="));
  if (fixed !== undefined) search.unshift(fixed);
  return search.length > 0 ? `?${search.join("&")}` : "";
}

/** Returns the literal segments of sibling routes at the place of each parameter. Such a value would reach the sibling. */
export function reservedWords(
  routes: readonly string[],
  route: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const segments = pathOf(route);
  const words = new Map<string, Set<string>>();
  segments.forEach((segment, index) => {
    if (!segment.startsWith(":")) return;
    const siblings = routes
      .map(pathOf)
      .filter((other) =>
        segments.slice(0, index).every((part, i) => other[i] === part || other[i]?.startsWith(":")),
      )
      .map((other) => other[index])
      .filter((word) => word !== undefined && !word.startsWith(":"));
    words.set(segment.slice(1), new Set(siblings as string[]));
  });
  return words;
}

function pathOf(route: string): string[] {
  const [path = ""] = route.split("?");
  // The method precedes the first slash.
  return path.split("/").slice(1);
}
