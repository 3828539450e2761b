const NAME = "fieldmesh-token";

/** Moves the token from the address, and its history, to this tab. Cookies ignore ports: every server here would get one. */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return;
  sessionStorage.setItem(NAME, given);
  history.replaceState(null, "", location.pathname);
}

/** Keeps a token that the user has entered: the token itself, or the address that contains it. */
export function setToken(text: string): void {
  sessionStorage.setItem(NAME, /token=([\w-]+)/.exec(text)?.[1] ?? text.trim());
}

/** Forgets a token that the sandbox did not accept, such as that of an earlier start. */
export function forgetToken(): void {
  sessionStorage.removeItem(NAME);
}

/** Returns the token of this tab. */
export function token(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}
