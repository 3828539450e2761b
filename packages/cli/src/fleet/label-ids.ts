import { nearest } from "@fieldmesh/core";
import type { Label } from "@fieldmesh/console-client";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { createOnce } from "./create-once.ts";
import { settleTimeOf } from "./options.ts";

/** The labels of the console by their names. */
export interface LabelIds {
  readonly idOf: (name: string) => string | undefined;
  /** Returns a sentence for each name that the console does not have. */
  readonly problemsOf: (names: readonly string[]) => string[];
}

interface Finding {
  /** The command has the option `--create-labels`, and it applies to these labels. */
  readonly mayCreate: boolean;
  /** The names that are created if they are missing. Default: all. */
  readonly needed?: readonly string[];
}

/** Looks up labels. With `--create-labels`, creates those that are missing. Without any name, nothing is sent. */
export async function findLabels(
  context: Context,
  input: Input,
  names: readonly string[],
  { mayCreate, needed = names }: Finding,
): Promise<LabelIds> {
  if (names.length === 0) return labelIds([], mayCreate);
  const { labels } = await context.client("console");
  const { signal } = context;
  const list = await labels.list({ signal });
  const missing = [...new Set(needed)].filter((name) => list.every((label) => label.name !== name));
  if (missing.length === 0 || !mayCreate || input.options["createLabels"] !== true)
    return labelIds(list, mayCreate);
  for (const name of missing) {
    await createOnce({
      create: () => labels.create({ name }, { signal }),
      find: async () => (await labels.list({ signal })).find((label) => label.name === name),
      settleTime: settleTimeOf(input),
      signal,
    });
    context.output.note(`Created the label ${JSON.stringify(name)}.`);
  }
  return labelIds(await labels.list({ signal }), mayCreate);
}

/** Finds one label. */
export async function findLabel(
  context: Context,
  input: Input,
  name: string,
  finding: Finding = { mayCreate: false },
): Promise<string> {
  const labels = await findLabels(context, input, [name], finding);
  const id = labels.idOf(name);
  if (id === undefined) throw new CliError(`${upperFirst(labels.problemsOf([name]).join("; "))}.`);
  return id;
}

function labelIds(list: readonly Label[], mayCreate: boolean): LabelIds {
  const ids = new Map(list.map(({ name, id }) => [name, id]));
  return {
    idOf: (name) => ids.get(name),
    problemsOf: (names) =>
      names
        .filter((name) => !ids.has(name))
        .map((missing) => {
          const meant = nearest(missing, ids.keys());
          const advice = [
            ...(meant === undefined ? [] : [`did you mean ${JSON.stringify(meant)}`]),
            mayCreate ? "create it with --create-labels" : "see `console labels list`",
          ];
          return `there is no label ${JSON.stringify(missing)}: ${advice.join(", or ")}`;
        }),
  };
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
