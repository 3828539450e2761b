import type { Label } from "@fieldmesh/console-client";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { nearest } from "../nearest.ts";
import { upperFirst } from "../output/printable.ts";
import { countOf } from "./plan/count-of.ts";
import { createOnce } from "./runs/create-once.ts";
import { settleTimeOf } from "./options.ts";

/** Reads the labels of the console. Without any name to look up, nothing is sent. */
export async function readLabels(context: Context, names: readonly string[]): Promise<LabelIds> {
  if (names.length === 0) return labelIds([]);
  const { labels } = await context.client("console");
  return labelIds(await labels.list({ signal: context.signal }));
}

/** Creates labels, and reads all of them again. */
export async function createLabels(
  context: Context,
  input: Input,
  names: readonly string[],
): Promise<LabelIds> {
  const { labels } = await context.client("console");
  const { signal } = context;
  let created = 0;
  for (const name of names) {
    const end = await createOnce({
      context,
      what: `the label ${JSON.stringify(name)}`,
      orExists: true,
      create: (how) => labels.create({ name }, how),
      find: async () => (await labels.list({ signal })).find((label) => label.name === name),
      settleTime: settleTimeOf(input),
    });
    if (end === "created") created++;
  }
  if (created > 0) context.output.note(`Created ${countOf(created, "label")}.`);
  return labelIds(await labels.list({ signal }));
}

/** Finds one label. With `mayCreate`, `--create-labels` creates it if it is missing. */
export async function findLabel(
  context: Context,
  input: Input,
  name: string,
  { mayCreate }: { readonly mayCreate: boolean } = { mayCreate: false },
): Promise<string> {
  let labels = await readLabels(context, [name]);
  const creates = mayCreate && input.options["createLabels"] === true;
  if (creates && labels.idOf(name) === undefined)
    labels = await createLabels(context, input, [name]);
  const id = labels.idOf(name);
  if (id === undefined) throw new CliError(`${upperFirst(noLabel(labels, name, mayCreate))}.`);
  return id;
}

/** Says that a label does not exist, and what to do. Its name is from the command line or a file, and is not quoted. */
export function noLabel({ nearestTo }: LabelIds, name: string, mayCreate: boolean): string {
  const meant = nearestTo(name);
  const advice = [
    ...(meant === undefined ? [] : [`did you mean ${JSON.stringify(meant)}`]),
    mayCreate ? "create it with --create-labels" : 'see "fieldmesh console labels list"',
  ];
  return `there is no label of this name: ${advice.join(", or ")}`;
}

export type LabelIds = ReturnType<typeof labelIds>;

/** The labels of the console by their names. */
function labelIds(list: readonly Label[]) {
  const ids = new Map(list.map(({ name, id }) => [name, id]));
  const known = new Set(ids.values());
  return {
    /** Finds a label by its name. The ID of one is also found. */
    idOf: (name: string) => ids.get(name) ?? (known.has(name) ? name : undefined),
    /** Returns the name that was probably meant, in place of one that the console does not have. */
    nearestTo: (name: string) => nearest(name, ids.keys()),
  };
}
