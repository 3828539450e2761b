import type { CallOptions, Pager } from "@fieldmesh/http/internal";
import type { Block } from "./block.ts";

/** The list of blocks, newest first (observed). */
export type BlockList = (input: object, options: CallOptions & { prefetch: 0 }) => Pager<Block>;

/**
 * Reads a list, newest block first (observed), down to the height once, then up by its cursors: two requests per page. The follower
 * loads this file with its first request of the list, and brings `hasExpired`, because esbuild would split a file that both import.
 */
export function createBacklog(
  list: BlockList,
  options: CallOptions,
  hasExpired: (error: unknown, cursor: string | undefined) => boolean,
) {
  const open = (): Pager<Block> => list({}, { ...options, prefetch: 0 });
  /** The cursors of the pages above the last blocks, the lowest page last. The first page has none. */
  let above: (string | undefined)[] = [];
  /** The cursor of the page that is being read. */
  let cursor: string | undefined;

  async function ascend(from: number): Promise<Block[]> {
    while (above.length > 0) {
      cursor = above.at(-1);
      const { items } = await open().page(cursor);
      above.pop();
      const blocks = inOrder(items, from);
      if (blocks.length > 0) return blocks;
      // New blocks have shifted the content of this page, and therefore of all pages above it.
      if (items.length > 0) above = [];
    }
    return [];
  }

  async function descend(from: number): Promise<Block[]> {
    const passed: (string | undefined)[] = [];
    cursor = undefined;
    for await (const page of open().pages()) {
      if (page.items.some(({ height }) => height <= from)) {
        above = passed;
        return inOrder(page.items, from);
      }
      if (page.items.length > 0) passed.push(cursor);
      ({ cursor } = page);
    }
    return [];
  }

  return {
    /** Reads some blocks from a height on, in order. Returns none if the list has a gap or another order. */
    async read(from: number): Promise<Block[]> {
      try {
        const blocks = await ascend(from);
        return blocks.length > 0 ? blocks : await descend(from);
      } catch (error) {
        if (!hasExpired(error, cursor)) throw error;
        above = [];
        return [];
      }
    },
  };
}

/** Returns the blocks from a height on, lowest first, up to the first gap. New blocks shift a list while it is read. */
function inOrder(page: readonly Block[], from: number): Block[] {
  const blocks: Block[] = [];
  for (const block of page.toSorted((a, b) => a.height - b.height))
    if (block.height === from + blocks.length) blocks.push(block);
  return blocks;
}
