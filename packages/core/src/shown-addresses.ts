// A longer scheme does not exist, and the limit keeps the search linear.
const ADDRESS = /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?:([^\s/?#@]*)@)?([^\s?#]*)(?:\?([^\s#]*))?/gi;

/**
 * Returns a string with the query, and the user name and password, of each address in it hidden: both may hold a token. `onUser`
 * receives each user name and password.
 */
export function shownAddresses(
  text: string,
  onUser: (part: string) => void = () => undefined,
): string {
  return text.replace(
    ADDRESS,
    (_, scheme: string, user: string | undefined, place: string, query: string | undefined) => {
      for (const part of user?.split(":") ?? []) onUser(part);
      return `${scheme}${user === undefined ? "" : "[redacted]@"}${place}${query ? "?[redacted]" : ""}`;
    },
  );
}
