import type { Row } from "../machine/operations.ts";
import type { ServiceFacts } from "../machine/services.ts";

/** The variable that holds the base URL of a service; samples in TypeScript read it too. */
export function urlVariable({ id }: ServiceFacts): string {
  return `${id.toUpperCase()}_URL`;
}

const NAME_OF_ID = /^(id|\w+_id)$/;

/** The request of a row as a command. What only your deployment knows is a variable of the shell. */
export function curl(row: Row, service: ServiceFacts): string {
  const { route, path, query, sample } = row.endpoint;
  const [method = "", template = ""] = route.split(" ");
  const [written = "", fixed] = template.split("?");
  const input = Object.entries(sample.input as object) as [string, unknown][];
  const location = written.replace(/:(\w+)/g, (_, name: string) => `\$${name}`);
  const parameters = [
    ...(fixed === undefined ? [] : [fixed]),
    ...input.flatMap(([name, value]) =>
      name in query ? [`${name}=${encodeURIComponent(String(value))}`] : [],
    ),
  ];
  const search = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  const body = Object.fromEntries(input.filter(([name]) => !(name in path) && !(name in query)));
  const flags = [
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...credentialFlags(service),
    ...(row.endpoint.idempotencyKey ? [`-H "idempotency-key: $(uuidgen)"`] : []),
  ];
  const command = ["curl", ...flags, `"$${urlVariable(service)}${location}${search}"`];
  if (row.endpoint.body === undefined) return command.join(" ");
  return `${[...command, "--json", "@-"].join(" ")} <<JSON\n${bodyText(body)}\nJSON`;
}

function credentialFlags({ id, credential }: ServiceFacts): string[] {
  if (credential === undefined) return [];
  const name = `$${id.toUpperCase()}_KEY`;
  return [
    credential["type"] === "apiKey"
      ? `-H "${String(credential["name"])}: ${name}"`
      : `-H "authorization: Bearer ${name}"`,
  ];
}

/** Ids are those of your own records. */
function bodyText(body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    body,
    (key, value: unknown) =>
      NAME_OF_ID.test(key) && typeof value === "string" ? `$${key}` : value,
    2,
  );
}
