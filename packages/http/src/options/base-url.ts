import { describeValue, findSettingMistake, isLoopback } from "@fieldmesh/core";

/**
 * Checks a base URL once, when a client is created, and returns it without a trailing slash.
 *
 * Throws a TypeError that never shows what a URL may hide (user info, query, fragment).
 */
export function checkBaseUrl(
  baseUrl: unknown,
  { hasCredential, allowInsecureHttp }: { hasCredential: boolean; allowInsecureHttp: boolean },
): URL {
  const url = parse(baseUrl);
  // The part before the colon is not shown: it may be the user name of a "user:password@host".
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError("baseUrl must begin with https:// (or http://).");
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      "baseUrl must not hold a user name or password: they would end in logs. Use the client's credential option.",
    );
  }
  // `href`, because an empty query or fragment ("https://host/?") is not in `search` or `hash`.
  if (/[?#]/.test(url.href)) {
    throw new TypeError(
      "baseUrl must not hold a query or fragment: give origin and path prefix only.",
    );
  }
  if (
    hasCredential &&
    url.protocol === "http:" &&
    !isLoopback(url.hostname) &&
    !allowInsecureHttp
  ) {
    throw new TypeError(
      "baseUrl is plain http:// and the client has a credential, which anyone on the way could read. " +
        "Use https://, or set allowInsecureHttp: true if the network is trusted.",
    );
  }
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "");
  return url;
}

function parse(baseUrl: unknown): URL {
  if (typeof baseUrl !== "string" && !(baseUrl instanceof URL)) {
    throw new TypeError(
      `baseUrl is required, such as "https://console.example.com": no host is built in. It is ${describeValue(baseUrl)}.`,
    );
  }
  const mistake = typeof baseUrl === "string" ? findSettingMistake(baseUrl) : undefined;
  if (mistake !== undefined) throw new TypeError(`baseUrl ${mistake}`);
  try {
    return new URL(baseUrl);
  } catch {
    throw new TypeError(
      'baseUrl is not a URL; write it whole, such as "https://console.example.com/prefix".',
    );
  }
}
