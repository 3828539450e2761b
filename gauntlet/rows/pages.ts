import { createLedgerClient, type LedgerClient } from "@fieldmesh/ledger-client";
import { sendJson, startOrigin, type Respond } from "../parts/origin.ts";
import { isClosed, type Case } from "../run/cases.ts";
import { describeError } from "../run/perform.ts";

/** A list with faulty pages, and the required result of a walk through it. */
interface PageRow {
  readonly fault: string;
  /** What the server responds to a cursor; `undefined` for the first page. */
  readonly page: (cursor: string | undefined, number: number) => Page;
  /** How the walk ends, how many accounts it has returned, and how many requests the server saw. */
  readonly ends: string;
  readonly options?: object;
  /** Ends the walk after this many accounts. */
  readonly take?: number;
}

type Page = { readonly status?: number; readonly body: unknown };

const addresses = [
  "13AHnyqWJH2pMEzrLH2ncdqtWRVvW8c5vGmWYJdm8rH4PQMLUqT",
  "14GWyFj9FjLHzoN3aX7Tq7PL6fEg4dfWPY8CrK8b9S5ZrcKDz6S",
];
const account = (number: number) => ({
  address: addresses[number % addresses.length],
  balance: number,
  dc_balance: 0,
  nonce: number,
  block: 1,
});
const page = (cursor: string | undefined, ...numbers: number[]): Page => ({
  body: { data: numbers.map(account), ...(cursor !== undefined && { cursor }) },
});

/** Three pages of two accounts each. */
const good = (cursor: string | undefined): Page => {
  if (cursor === undefined) return page("b", 0, 1);
  return cursor === "b" ? page("c", 2, 3) : page(undefined, 4, 5);
};

const rows: readonly PageRow[] = [
  { fault: "no fault", page: good, ends: "ok 6 accounts ×3" },
  {
    fault: "a page whose cursor leads to itself",
    page: () => page("b", 0),
    ends: "CursorLoopError rejected * accounts ×*",
  },
  {
    fault: "two pages whose cursors lead to each other",
    page: (cursor) => page(cursor === "b" ? "c" : "b", 0),
    ends: "CursorLoopError rejected * accounts ×*",
  },
  {
    fault: "an expired cursor",
    page: (cursor) =>
      cursor === "b" ? { status: 400, body: { error: "cursor expired" } } : good(cursor),
    ends: "CursorExpiredError rejected 2 accounts ×2",
  },
  {
    fault: "a cursor that expires once, with a restart allowed",
    page: (cursor, number) =>
      number === 2 ? { status: 400, body: { error: "cursor expired" } } : good(cursor),
    options: { onCursorExpired: "restart" },
    ends: "ok 6 accounts ×*",
  },
  {
    fault: "empty pages between full ones",
    page: (cursor) =>
      cursor === undefined
        ? page("x", 0)
        : cursor.length < 9
          ? page(`${cursor}x`)
          : page(undefined, 1),
    ends: "ok 2 accounts ×10",
  },
  {
    fault: "endless empty pages",
    page: (_, number) => page(`x${number}`),
    options: { maxEmptyPages: 20 },
    ends: "TooManyEmptyPagesError rejected 0 accounts ×*",
  },
  {
    fault: "endless pages; the walk ends after five accounts",
    page: (_, number) => page(`x${number}`, number),
    take: 5,
    ends: "ok 5 accounts ×5",
  },
  {
    fault: "the connection is reset once, at the second page",
    page: (cursor, number) => (number === 2 ? { status: 0, body: "" } : good(cursor)),
    ends: "ok 6 accounts ×4",
  },
  {
    fault: "429 once, at the second page",
    page: (cursor, number) =>
      number === 2 ? { status: 429, body: { come_back_in_ms: 20 } } : good(cursor),
    ends: "ok 6 accounts ×4",
  },
  {
    fault: "always 503 at the second page",
    page: (cursor) => (cursor === "b" ? { status: 503, body: "" } : good(cursor)),
    ends: "ApiError 503 unknown 2 accounts ×4",
  },
  {
    fault: "a page without data, which must not count as the last one",
    page: (cursor) => (cursor === "b" ? { body: {} } : good(cursor)),
    ends: "ResponseValidationError applied 2 accounts ×2",
  },
  {
    fault: "a cursor that is a number",
    page: (cursor) =>
      cursor === undefined ? { body: { data: [account(0)], cursor: 7 } } : good(cursor),
    ends: "ResponseValidationError applied 0 accounts ×1",
  },
  {
    fault: "a cursor with URL characters",
    page: (cursor) =>
      cursor === undefined
        ? page("a&b=c#../%2e", 0)
        : page(undefined, cursor === "a&b=c#../%2e" ? 1 : 0),
    ends: "ok 2 accounts ×2",
  },
  {
    fault: "an empty cursor on the last page",
    page: (cursor) => (cursor === undefined ? page("b", 0) : page("", 1)),
    ends: "ok 2 accounts ×2 or ResponseValidationError applied 1 accounts ×2",
  },
  {
    fault: "a cursor of 4 KB",
    page: (cursor) => (cursor === undefined ? page("c".repeat(4_000), 0) : page(undefined, 1)),
    ends: "ok 2 accounts ×2",
  },
];

/** The two ways to read a list. */
const WALKS = {
  "for await": async (list, seen) => {
    for await (const each of list) seen.push(each);
  },
  "walk()": async (list, seen) => {
    const walk = list.walk();
    for (let next = await walk.next(); next.done !== true; next = await walk.next())
      seen.push(next.value);
  },
} satisfies Record<
  string,
  (list: ReturnType<LedgerClient["accounts"]["list"]>, seen: unknown[]) => Promise<void>
>;

export const pageCases: readonly Case[] = rows.flatMap((row) =>
  Object.entries(WALKS).map(([door, walk]) => ({
    family: "Pages",
    fault: row.fault,
    door,
    expected: row.ends,
    run: async ({ limit }) => {
      const origin = await startOrigin(respondWith(row.page));
      try {
        const client = createLedgerClient({
          baseUrl: origin.url,
          retry: { baseDelay: 1, maxDelay: 5 },
        });
        const list = client.accounts.list({}, { ...row.options, signal: limit });
        const seen: unknown[] = [];
        const end = await walk(row.take === undefined ? list : list.take(row.take), seen).then(
          () => "ok",
          describeError,
        );
        const open = (await isClosed(origin.leftOpen)) ? "" : " OPEN";
        return `${end} ${seen.length} accounts ×${origin.requests()}${open}`;
      } finally {
        await origin[Symbol.asyncDispose]();
      }
    },
  })),
);

/** A walk that does not end by itself ends here. */
const MOST_REQUESTS = 100;

function respondWith(pageOf: PageRow["page"]): Respond {
  return (request, response, number) => {
    if (number > MOST_REQUESTS) return sendJson(response, 410, "{}");
    const cursor =
      new URL(request.url ?? "", "http://host").searchParams.get("cursor") ?? undefined;
    const { status = 200, body } = pageOf(cursor, number);
    if (status === 0) request.socket.resetAndDestroy();
    else sendJson(response, status, JSON.stringify(body));
  };
}
