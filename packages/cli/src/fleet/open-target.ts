import { isLoopback } from "@fieldmesh/core/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { readFirstLine } from "../files/user-file.ts";
import { sayWhere } from "../output/say-where.ts";
import { textOption } from "./options.ts";
import type { TargetServer } from "./targets/target-server.ts";
import type { NetworkServer } from "./targets/targets.ts";

/** Opens the network server of `--url`, or of the environment. The address is for messages. */
export async function openTarget(
  context: Context,
  input: Input,
  networkServer: NetworkServer,
): Promise<{ readonly server: TargetServer; readonly address: string }> {
  const given = textOption(input, "url");
  const named = given === undefined ? networkServer.url : "--url";
  const url = readAddress(given ?? context.env[networkServer.url], named, networkServer);
  const open = await networkServer.load();
  const key = await readKey(context, input, networkServer);
  const server = open({ url, key, signal: context.signal });
  const address = url.href.replace(/\/$/, "");
  if (context.prompt.isTerminal) sayWhere(context, networkServer.title, address, named);
  return { server, address };
}

function readAddress(text: string | undefined, named: string, networkServer: NetworkServer): URL {
  if (!text)
    throw new CliError(
      `The address of ${networkServer.title} is missing: add --url, or set ${networkServer.url} and ${networkServer.key}.`,
    );
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new CliError(`${named} must be an address such as https://network.example.com.`);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw new CliError(`${named} must be ${url.origin}, without a path, a query or a fragment.`);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new CliError(
      `${named} must begin with https://, because keys are sent there. Use http:// only for this machine, such as for a tunnel of ssh -L.`,
    );
  return url;
}

/** The key of the environment is only for the address of the environment. */
async function readKey(
  context: Context,
  input: Input,
  { title, key: variable }: NetworkServer,
): Promise<string> {
  const { env, prompt } = context;
  const file = textOption(input, "keyFile");
  const own = textOption(input, "url") === undefined ? env[variable] : undefined;
  const key =
    file === undefined
      ? own || (await prompt.secret(`API key of ${title}`, `add --key-file`))
      : await readFirstLine(context, file, "the API key");
  const trimmed = key.trim();
  if (!/^[\x21-\x7E]+$/.test(trimmed))
    throw new CliError(
      `The API key of ${title} is empty, or it has spaces or other characters that a key cannot have.`,
    );
  return trimmed;
}
