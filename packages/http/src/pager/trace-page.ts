import { getOrInsertComputed, pageChannel, trace } from "@fieldmesh/core";
import type { Page } from "./page.ts";

/** An empty object for each list, which messages may contain. */
const lists = new WeakMap<object, object>();

/** Publishes the reading of a page to `fieldmesh:page`. `facts` is the same object for all pages of a list. */
export function tracePage<T>(
  facts: { readonly call: string },
  isFirst: boolean,
  read: () => Promise<Page<T>>,
): Promise<Page<T>> {
  return trace(pageChannel, read, {
    start: () => ({
      call: facts.call,
      list: getOrInsertComputed(lists, facts, () => ({})),
      isFirst,
    }),
    end: ({ items }) => ({ items: items.length }),
  });
}
