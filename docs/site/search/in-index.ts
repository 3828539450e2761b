import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import MiniSearch from "minisearch";
import { beforeAll, expect, test } from "vitest";
import { indexOptions, searchOptions } from "./options.ts";
import { queries } from "./queries.ts";

const MOST_BYTES = 200_000;
const DRAWN = 20;

interface Section {
  /** The path of its page and its anchor. */
  readonly id: string;
  readonly title: string;
}

/** Registers the tests of what the search finds in the index of the built site. */
export function testSearch(site: {
  readonly indexFile: () => string;
  readonly base: string;
}): void {
  let index: MiniSearch;
  /** The headings of all guides. The glossary has words, which the guides explain. */
  let headings: readonly Section[];
  const find = (words: string): Section[] =>
    index
      .search(words, searchOptions)
      .map(({ id, title }) => ({ id: (id as string).slice(site.base.length), title }));
  const isFound = (heading: Section): boolean =>
    find(heading.title)
      .slice(0, 2)
      .some((found) => pageOf(found) === pageOf(heading));

  beforeAll(async () => {
    const { default: json } = (await import(site.indexFile())) as { default: string };
    index = MiniSearch.loadJSON(json, {
      fields: ["title", "titles", "text"],
      storeFields: ["title", "titles"],
      ...indexOptions,
    });
    headings = index
      .search(MiniSearch.wildcard)
      .map(({ id, title }) => ({ id: (id as string).slice(site.base.length), title }))
      .filter((section) => isGuide(section) && !section.id.includes("glossary"))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  });

  test("the search finds the page that a reader looks for, first or second", () => {
    const missed = queries.flatMap(([words, target]) => {
      const found = find(words).map(({ id }) => id);
      const isAmong = found.slice(0, 2).some((id) => id.startsWith(target));
      return isAmong ? [] : [{ words, target, found: found.slice(0, 3) }];
    });
    expect(queries.length).toBeGreaterThanOrEqual(60);
    expect(missed).toEqual([]);
  });

  test.for([
    { seed: 1, most: 0 },
    { seed: 54, most: 1 },
    { seed: 2026, most: 1 },
  ])(`of ${DRAWN} headings of guides, drawn with seed $seed, it misses $most`, ({ seed, most }) => {
    const missed = draw(headings, seed).filter((heading) => !isFound(heading));
    expect(missed.slice(most)).toEqual([]);
  });

  test("it finds 98 of 100 headings of guides", () => {
    const missed = headings.filter((heading) => !isFound(heading));
    expect(headings.length).toBeGreaterThan(200);
    expect(missed.slice(headings.length / 50)).toEqual([]);
  });

  test.for([
    "checkpoint",
    "delivery",
    "fault",
    "handler",
    "order",
    "receiver",
    "secret",
    "verifier",
  ])("a guide comes before the type of the same name: %s", (word) => {
    const found = find(word);
    const type = found.findIndex(({ id }) => id.startsWith("api/"));
    expect(found.findIndex(isGuide)).toBe(0);
    expect(type).not.toBe(0);
  });

  test("decisions are not searched, and the types of tables of endpoints have no page", () => {
    const ids = index.search(MiniSearch.wildcard).map(({ id }) => id as string);
    expect(ids.filter((id) => /\/decisions\/|\/endpoints\/variables\//.test(id))).toEqual([]);
  });

  test("the search index is small", () => {
    const bytes = gzipSync(readFileSync(site.indexFile())).length;
    console.log(`search index: ${Math.round(bytes / 1_000)} KB, compressed`);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
}

function isGuide({ id }: { readonly id: string }): boolean {
  return id.startsWith("guides/");
}

function pageOf({ id }: { readonly id: string }): string {
  return id.replace(/#.*/, "");
}

/** Draws headings that are the same for the same seed, by the generator of Park and Miller. */
function draw(headings: readonly Section[], seed: number): Section[] {
  const rest = [...headings];
  let state = seed;
  return Array.from({ length: DRAWN }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return rest.splice(state % rest.length, 1)[0]!;
  });
}
