import { stringifyJson } from "@fieldmesh/core";
import type { Row } from "../documents/operations.ts";
import { credentialHeader, type Service } from "@fieldmesh/sandbox/internal/services";

/** Returns the environment variable with the base URL of a service. Samples in TypeScript read it too. */
export function urlVariable({ name }: Pick<Service, "name">): string {
  return `${name.toUpperCase()}_URL`;
}

/** Returns the environment variable with the key of a service. */
export function keyVariable({ name }: Pick<Service, "name">): string {
  return `${name.toUpperCase()}_KEY`;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Fields that identify a record. A user's records differ from those of the sample. */
const NAMES_A_RECORD = /^(id|\w+_id|\w+_eui|app_key)$/;

/** Returns the request of a row as a curl command. Values of a deployment are shell variables. */
export function curl(row: Row, service: Service): string {
  const { route, path, query, sample } = row.endpoint;
  const [method = "", template = ""] = route.split(" ");
  const [written = "", fixed] = template.split("?");
  const input = Object.entries(sample.input as object) as [string, unknown][];
  const location = written.replace(/(\w+)s\/:id\b/g, "$1s/$$$1_id").replace(/:(\w+)/g, "$$$1");
  const parameters = [
    ...(fixed === undefined ? [] : [fixed]),
    ...input.flatMap(([name, value]) =>
      name in query ? [`${name}=${valueText(name, value)}`] : [],
    ),
  ];
  const body = Object.fromEntries(input.filter(([name]) => !(name in path) && !(name in query)));
  const flags = [
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...credentialFlags(service),
    ...(row.endpoint.idempotencyKey ? [`-H "idempotency-key: $idempotency_key"`] : []),
  ];
  const url = `$${urlVariable(service)}${location}`;
  const command = ["curl", ...withQuery(url, parameters, flags)];
  if (row.endpoint.body === undefined) return joined(command);
  return `${joined([...command, "--json @- <<JSON"])}\n${bodyText(body)}\nJSON`;
}

const LONGEST_LINE = 76;
const INDENT = 2;

/** Adds the parameters to the URL. If they do not fit on its line, curl appends them to the URL of a GET (`-G`). */
function withQuery(url: string, parameters: readonly string[], flags: readonly string[]): string[] {
  const search = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  const whole = `"${url}${search}"`;
  if (INDENT + whole.length <= LONGEST_LINE) return [...flags, whole];
  return ["-G", ...flags, `"${url}"`, ...parameters.map((each) => `-d "${each}"`)];
}

/** Breaks a command that is too long for one line. */
function joined(words: readonly string[]): string {
  const line = words.join(" ");
  return line.length <= LONGEST_LINE ? line : words.join(" \\\n  ").replace(" \\\n  ", " ");
}

function credentialFlags(service: Service): string[] {
  const header = credentialHeader(service, `$${keyVariable(service)}`);
  return header === undefined ? [] : [`-H "${header.join(": ")}"`];
}

/** Ids become variables, because they belong to the user's records. EUIs of a new device stay as they are. */
function bodyText(body: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    name.endsWith("_id") || GUID.test(String(value)) ? `$${idOf(name)}` : value,
  ]);
  return stringifyJson(Object.fromEntries(fields), { space: 2 });
}

function idOf(name: string): string {
  return name.endsWith("_id") ? name : `${name}_id`;
}

function valueText(name: string, value: unknown): string {
  return NAMES_A_RECORD.test(name) ? `$${name}` : encodeURIComponent(String(value));
}
