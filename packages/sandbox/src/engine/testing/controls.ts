import { type ConsoleClient, createConsoleClient } from "@fieldmesh/console-client";
import { serveControls } from "../controls/controls.ts";
import { requestOf } from "./console.ts";
import { createServices, type ServicesSetting } from "../sandbox/create-services.ts";
import { type Sandbox, toSandbox } from "../sandbox/sandbox.ts";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import type { Handler } from "../serve/serve.ts";

const ORIGIN = "https://sandbox.invalid";

/** A sandbox with its controls, as the page calls them. */
export interface OpenControls {
  readonly sandbox: Sandbox;
  readonly client: ConsoleClient;
  readonly controls: Handler;
  /** Calls a control, such as `GET /settings`, and reads its response. */
  readonly send: (route: string, body?: unknown) => Promise<{ status: number; body: unknown }>;
}

/** Creates a sandbox that keeps responses, as a server does, and a function that calls its controls. */
export function openControls(
  options: SandboxOptions = {},
  setting: ServicesSetting = { keepsResponses: true },
): OpenControls {
  const services = createServices(options, setting);
  const sandbox = toSandbox(services, ORIGIN) as Sandbox;
  const controls = serveControls(services);
  const client = createConsoleClient({ ...sandbox.console, retry: false });
  const send: OpenControls["send"] = async (route, body) => {
    const response = await controls(requestOf(`${ORIGIN}/sandbox`, route, body));
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as unknown };
  };
  return { sandbox, client, controls, send };
}
