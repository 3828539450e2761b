import { digestOf } from "@fieldmesh/core/internal";
import type { BulkTarget } from "./checkpoint.ts";
import type { PendingItem, Verb } from "./run-parts.ts";

/** Inputs in one hash. Another number makes other ids. */
const BLOCK = 1_000;

/** Identifies work by its content: two runs of one list at the same place have the same id, whatever their chunkSize. */
export async function leaseIdOf<Item extends PendingItem>(
  { method, readInput }: Pick<Verb<Item>, "method" | "readInput">,
  inputs: AsyncIterable<unknown>,
  { server, organization }: BulkTarget,
): Promise<string> {
  let id = await digestOf("SHA-256", JSON.stringify([method, server, organization]));
  let block: string[] = [];
  const add = async (): Promise<void> => {
    id = await digestOf("SHA-256", JSON.stringify([id, ...block]));
    block = [];
  };
  let index = 0;
  for await (const input of inputs) {
    const read = readInput(input, index++);
    block.push("status" in read ? "invalid" : read.content);
    if (block.length === BLOCK) await add();
  }
  await add();
  return id;
}
