import type { RequestView } from "../src/engine/controls/wire.ts";
import type { RunningSandbox } from "../src/index.ts";
import type { LoggedRequest } from "../src/services.ts";
import { exampleScope } from "../../../tools/testing/example-scopes.ts";
import { readRowDocs } from "../../../tools/testing/contract/row-docs.ts";
import { type RowUnderTest, sourcesOf } from "../../../tools/testing/services.ts";

/** What "Copy as TypeScript" copies, and what it needs. */
export interface CopiedProgram {
  readonly request: LoggedRequest;
  readonly program: string;
  /** The hidden values, by the name of their environment variable. */
  readonly values: Readonly<Record<string, string>>;
}

/** Runs the example of a row, copies its request as a program, and undoes the request. */
export async function copyExample(
  { call, row, service }: RowUnderTest,
  sandbox: RunningSandbox,
): Promise<CopiedProgram> {
  const { example = "" } = readRowDocs(sourcesOf(service)).get(call) ?? {};
  const scope = await exampleScope(service, sandbox);
  // oxlint-disable-next-line typescript/no-implied-eval -- the test runs our own examples
  const run = new Function(
    ...Object.keys(scope),
    `return (async () => { ${example.replaceAll(/!(?=[.);,])/g, "")} })();`,
  ) as (...values: unknown[]) => Promise<void>;
  await run(...Object.values(scope));
  const request = sandbox.log.requests(call).find(({ status }) => status === row.status)!;
  const response = await fetch(`${sandbox.origin}/sandbox/requests/${request.number}`);
  const { program = "" } = (await response.json()) as RequestView;
  const sent = {
    ...Object.fromEntries(new URLSearchParams(request.url.split("?")[1])),
    ...(JSON.parse(request.body || "{}") as object),
  };
  const names = [...program.matchAll(/(\w+): (?:JSON\.parse\()?process\.env\["(\w+)"\]/g)];
  const values = Object.fromEntries(
    names
      .filter(([, name]) => name !== "baseUrl" && name !== "apiKey")
      .map(([, name, variable]) => [variable, textOf(valueOf(sent, name!))]),
  );
  await sandbox.stepBack(request);
  return { request, program, values };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the field of a body with this name, at any depth. */
function valueOf(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  if (Object.hasOwn(body, name)) return (body as Record<string, unknown>)[name];
  return Object.values(body)
    .map((each) => valueOf(each, name))
    .find((each) => each !== undefined);
}
