import { type ConsoleClient, createConsoleClient } from "@fieldmesh/console-client";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";

/** A console in this process, with a client that sends every request once. */
export interface OpenConsole {
  readonly sandbox: Sandbox;
  readonly client: ConsoleClient;
  /** Sends a request directly, such as `GET /api/v1/labels`, with the key. */
  readonly send: (
    route: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

/** Opens a console for a test. Without options, it contains only its organization. */
export function openConsole(options: SandboxOptions = { console: { data: "empty" } }): OpenConsole {
  const sandbox = createSandbox(options);
  const { baseUrl, fetch } = sandbox.console;
  const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey, retry: false });
  const send: OpenConsole["send"] = (route, body, headers) =>
    fetch(requestOf(baseUrl, route, body, { key: sandbox.apiKey, ...headers }));
  return { sandbox, client, send };
}

/** Returns a request such as `GET /api/v1/labels`. A body that is not a string is sent as JSON. */
export function requestOf(
  baseUrl: string,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Request {
  const [method = "", path = ""] = route.split(" ");
  const json = body === undefined ? {} : { "content-type": "application/json" };
  return new Request(baseUrl + path, {
    method,
    headers: { ...json, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** Returns a device that the console accepts. Each number is another device. */
export function newDevice(number = 1): {
  name: string;
  dev_eui: string;
  app_eui: string;
  app_key: string;
} {
  return {
    name: `Tank ${number}`,
    dev_eui: `0004A30B${number.toString(16).toUpperCase().padStart(8, "0")}`,
    app_eui: "70B3D57ED0000001",
    app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  };
}

/** An id that does not exist. */
export const NOBODY = "00000000-0000-4000-8000-000000000000";
