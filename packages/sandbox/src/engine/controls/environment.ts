// What a user copies to call a sandbox. The page and the commands use it, so this file imports nothing else.
import { shellWord } from "../../shell-text.ts";

/** Where a service of a sandbox is, and its key if it has one. */
export interface ServiceAddress {
  readonly service: string;
  readonly baseUrl: string;
  readonly key?: string | undefined;
}

/** Returns the addresses and keys as environment variables, such as `CONSOLE_URL` and `CONSOLE_KEY`, others, and the one that names the sandbox. */
export function variablesOf(
  addresses: readonly ServiceAddress[],
  page: string,
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const entries = addresses.flatMap(({ service, baseUrl, key }) => {
    const prefix = service.toUpperCase();
    const url = [`${prefix}_URL`, baseUrl] as const;
    return key === undefined ? [url] : [url, [`${prefix}_KEY`, key] as const];
  });
  return { ...Object.fromEntries(entries), ...others, FIELDMESH_SANDBOX: page };
}

/** Returns variables as lines for a shell, and for Node in a .env file. */
export function linesOf(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
}

/** Returns a first call that works when it is pasted into a shell. */
export function firstCurl(consoleUrl: string, key: string): string {
  return ["curl", "-H", `key: ${key}`, `${consoleUrl}/api/v1/labels`].map(shellWord).join(" ");
}
