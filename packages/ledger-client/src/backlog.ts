import { isApiError, isCursorExpiredError, type CallOptions, type Pager } from "@fieldmesh/http";
import type { Block } from "./block.ts";

/** The list of blocks, newest first. */
export type BlockList = (input: object, options: CallOptions & { prefetch: 0 }) => Pager<Block>;

/** Blocks that exist already, read upwards. */
export interface Backlog {
  /** Gives some blocks from a height on, in order; none where the list does not lead there without a gap. */
  read(from: number): Promise<Block[]>;
}

const BAD_REQUEST = 400;

/**
 * Creates a backlog over a list that begins at the newest block. It goes down once and keeps the cursors of the pages
 * that it passes, not the pages, then comes back up by them: two requests a page, however far behind.
 */
export function createBacklog(list: BlockList, options: CallOptions): Backlog {
  const open = (): Pager<Block> => list({}, { ...options, prefetch: 0 });
  /** Of the pages above what was given, the lowest last; the first page has none. */
  let above: (string | undefined)[] = [];

  async function ascend(from: number): Promise<Block[]> {
    while (above.length > 0) {
      const { items } = await open().page(above.at(-1));
      above.pop();
      const blocks = inOrder(items, from);
      if (blocks.length > 0) return blocks;
      // An empty page is passed; any other one was moved by new blocks, and so were those above it.
      if (items.length > 0) above = [];
    }
    return [];
  }

  async function descend(from: number): Promise<Block[]> {
    const passed: (string | undefined)[] = [];
    let cursor: string | undefined;
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
    async read(from) {
      try {
        const blocks = await ascend(from);
        return blocks.length > 0 ? blocks : await descend(from);
      } catch (error) {
        if (!isCursorExpiredError(error) && !isApiError(error, BAD_REQUEST)) throw error;
        above = [];
        return [];
      }
    },
  };
}

/** The blocks from a height on, lowest first, up to the first gap: a list may shift while it is read. */
function inOrder(newestFirst: readonly Block[], from: number): Block[] {
  const blocks: Block[] = [];
  for (const block of newestFirst.toReversed())
    if (block.height === from + blocks.length) blocks.push(block);
  return blocks;
}
