import type { Context } from "../../context.ts";
import { CliError } from "../../exit-codes.ts";

/** The console in which a run has begun. The state of the run keeps it. */
export interface WhichConsole {
  readonly address: string;
  /** The ids and names of the organization of the key, of which there is one. */
  readonly organization: readonly { readonly id: string; readonly name: string }[];
}

/** Reads which console the commands of this context change. */
export async function whichConsole(context: Context): Promise<WhichConsole> {
  const { organization } = await context.client("console");
  const list = await organization.list({ signal: context.signal });
  return {
    address: await context.address("console"),
    organization: list.map(({ id, name }) => ({ id, name })),
  };
}

/** Throws a CliError that names both consoles, if a run was begun in another one. `state` is its file. */
export async function checkSameConsole(
  context: Context,
  state: string,
  begun: WhichConsole,
): Promise<void> {
  const now = await whichConsole(context);
  if (identityOf(now) === identityOf(begun)) return;
  throw new CliError(
    `${state} belongs to an unfinished run in ${describe(begun)}. This command would change ${describe(now)}. Use the first console to finish that run, or delete the file to begin a new one.`,
  );
}

/** An organization may be renamed while a run is interrupted. */
function identityOf({ address, organization }: WhichConsole): string {
  return [address, ...organization.map(({ id }) => id)].join();
}

function describe({ address, organization }: WhichConsole): string {
  const names = organization.map(({ id, name }) => `${JSON.stringify(name)}, ${id}`);
  return `${address} (organization ${names.join("; ")})`;
}
