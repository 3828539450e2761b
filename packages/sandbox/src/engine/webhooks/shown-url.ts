/** Returns an address without its query, its fragment and its user, any of which may hold a token. */
export function shownUrl(address: string | URL): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
