import {
  describeValue,
  findSettingMistake,
  isLoopback,
  isUrl,
  mistake,
} from "@fieldmesh/core/internal";

/** Returns a base URL without a trailing slash. Its TypeError never shows the user info, query or fragment. */
export function checkBaseUrl(
  baseUrl: unknown,
  { hasCredential, allowInsecureHttp }: { hasCredential: boolean; allowInsecureHttp: boolean },
): URL {
  const url = parse(baseUrl);
  // The message does not show the part before the colon: it may be the user name in "user:password@host".
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw mistake("baseUrl must begin with https:// (or http://).");
  if (url.username !== "" || url.password !== "") {
    throw mistake(
      "baseUrl must not contain a user name or password: they would appear in logs. Use the client's credential option.",
    );
  }
  // Checks `href`, because an empty query or fragment ("https://host/?") is missing from `search` and `hash`.
  if (/[?#]/.test(url.href)) {
    throw mistake(
      "baseUrl must not contain a query or fragment: pass the origin and a path prefix only.",
    );
  }
  if (
    hasCredential &&
    url.protocol === "http:" &&
    !isLoopback(url.hostname) &&
    !allowInsecureHttp
  ) {
    throw mistake(
      "baseUrl is plain http:// and the client has a credential, which anyone on the network could read. " +
        "Use https://, or set allowInsecureHttp: true if the network is trusted.",
    );
  }
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "");
  return url;
}

function parse(baseUrl: unknown): URL {
  if (typeof baseUrl !== "string" && !isUrl(baseUrl)) {
    throw mistake(
      `baseUrl is required, such as "https://console.example.com": no host is built in. It is ${describeValue(baseUrl)}.`,
    );
  }
  const problem = typeof baseUrl === "string" ? findSettingMistake(baseUrl) : undefined;
  if (problem !== undefined) throw mistake(`baseUrl ${problem}`);
  try {
    return new URL(baseUrl);
  } catch {
    throw mistake(
      'baseUrl is not a URL: write it in full, such as "https://console.example.com/prefix".',
    );
  }
}
