// A path, or a scheme and two slashes, which JSON may have escaped; then user, place and query. A longer scheme does not exist, and
// the limit keeps the search linear.
const ADDRESS =
  /((?:[a-z][a-z\d+.-]{0,20}:(?:\\?[/\\]){2})|^\/{1,2})(?:([^\s/\\?#]*)@)?([^\s?#]*)(?:\?([^\s#]*))?/gi;

/**
 * Returns a string with the query, and the user name and password, of each address in it hidden: both may hold a token. `onUser`
 * receives each user name and password.
 */
export function shownAddresses(text: string, onUser?: (part: string) => void): string {
  return text.replace(
    ADDRESS,
    (_, scheme: string, user: string | undefined, place: string, query: string | undefined) => {
      user?.split(":").forEach((part) => onUser?.(part));
      return `${scheme}${user ? "[redacted]@" : ""}${place}${query ? "?[redacted]" : ""}`;
    },
  );
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Tells whether a host name of a URL is this machine. RFC 6761 reserves names that end in `.localhost` for it. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
