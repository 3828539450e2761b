import { useEffect, useState } from "preact/hooks";
import { parse, stringify } from "./json.ts";
import { update } from "./store.ts";

const UNAUTHORIZED = 401;

/** The sandbox has responded with an error. */
export class ResponseError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to the controls, and returns the parsed response. Throws a ResponseError. */
export async function call<T>(
  route: string,
  options: { readonly body?: object; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const [method = "GET", path = ""] = route.split(" ");
  const response = await open(path, {
    method,
    signal: options.signal ?? null,
    ...(method === "POST" && {
      headers: { "content-type": "application/json" },
      body: stringify(options.body ?? {}),
    }),
  });
  const text = await response.text();
  // A response without a body has nothing to return.
  return (text === "" ? undefined : parse(text)) as T;
}

/** Returns what a GET returns, and `first` until then. Fetches it again when the route or one of `changes` is another. */
export function useCall<T>(route: string, first: T, changes: readonly unknown[] = []): T {
  const [value, setValue] = useState(first);
  useEffect(() => {
    const left = new AbortController();
    call<T>(route, { signal: left.signal }).then(setValue, () => {});
    return () => left.abort();
  }, [route, ...changes]);
  return value;
}

/** Fetches a hidden value of what is at a path of the controls. Throws a ResponseError. */
export async function fetchHidden<T>(path: string, body: object = {}): Promise<T> {
  return (await call<{ value: T }>(`POST ${path}/reveal`, { body })).value;
}

/** Sends a request with the token. Throws a ResponseError for a status that is not a success. */
export async function open(path: string, init: RequestInit = {}): Promise<Response> {
  const known = token();
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(known !== undefined && { authorization: `Bearer ${known}` }),
  };
  const response = await fetch(path, { ...init, headers });
  if (response.ok) return response;
  const text = await response.text();
  if (response.status === UNAUTHORIZED) {
    forgetToken();
    // Draws the field for the token.
    update(() => {});
    throw new ResponseError(UNAUTHORIZED, "This needs the token of the sandbox.");
  }
  throw new ResponseError(response.status, text || `The sandbox responded ${response.status}.`);
}

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
function forgetToken(): void {
  sessionStorage.removeItem(NAME);
}

/** Returns the token of this tab. */
export function token(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}
