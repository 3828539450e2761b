import { getOrInsertComputed, pageChannel, trace } from "@fieldmesh/core/internal";
import type { Page } from "./page.ts";

/** An empty object for each list, which messages may contain. */
const lists = new WeakMap<object, object>();

/** Publishes the reading of a page to `fieldmesh:page`. `context` is the same object for all pages of a list. */
export function tracePage<T>(
  context: { readonly call: string },
  isFirst: boolean,
  read: () => Promise<Page<T>>,
): Promise<Page<T>> {
  return trace(pageChannel, read, {
    start: () => ({
      call: context.call,
      list: getOrInsertComputed(lists, context, () => ({})),
      isFirst,
    }),
    end: ({ items }) => ({ items: items.length }),
  });
}
