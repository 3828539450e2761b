import { CursorExpiredError } from "../errors/walk-errors.ts";
import type { CallName } from "../errors/call-error.ts";
import type { Problem } from "../errors/problem.ts";
import { isApiError } from "../errors/is-api-error.ts";
import type { ExtraQuery, SendOptions } from "../options/call-options.ts";
import type { BoundRow } from "../request/request.ts";
import type { PageResult } from "../table/result.ts";
import type { PlaceInList, QueryIdentity } from "./checkpoint.ts";
import type { Page } from "./page.ts";
import type { PagerOptions, WalkSettings } from "./pager-options.ts";
import { createWalk, type Walk, type WalkSource } from "./walk.ts";
import { STATUS } from "../errors/statuses.ts";
import { getOrInsertComputed, pageChannel, trace } from "@fieldmesh/core/internal";

/** A call of a paged row. */
export interface PagerCall {
  readonly endpoint: BoundRow;
  readonly transport: PageSender;
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly options?: (SendOptions & PagerOptions) | undefined;
}

/** Sends the pages of a list, and identifies the list for checkpoints. */
export interface PageSender {
  send(
    endpoint: BoundRow,
    input: unknown,
    options?: SendOptions,
  ): Promise<{ readonly output: unknown }>;
  /** Returns what a checkpoint must match: hashes of the server and the path, and the query as it is sent, without its cursor. */
  identify(
    endpoint: BoundRow,
    input: unknown,
    query?: ExtraQuery | undefined,
  ): Pick<QueryIdentity, "server" | "path" | "query">;
  /** Reports what does not fit in a response, and was found after it was decoded: each place once. */
  readonly reportDrift: (context: CallName, problems: readonly Problem[]) => void;
}

/** What a walk reads from, before it is known which query it repeats. */
export type Source<T> = Pick<
  WalkSource<T>,
  "context" | "key" | "signal" | "start" | "reportRepeated"
> & {
  identify(): QueryIdentity;
  /** Reads a page with the query of the first one. */
  fetchPage(
    cursor: string | undefined,
    signal: AbortSignal | undefined,
    firstQuery: QueryIdentity["query"],
  ): Promise<Page<T>>;
};

/** Creates the source for the walks of a list. Lists that are traced as one share the object `context`. */
export function createSource<T>(
  { endpoint, transport, input, options = {} }: PagerCall,
  context: Source<T>["context"] = { call: endpoint.call, route: endpoint.row.route },
): Source<T> {
  const { row, call } = endpoint;
  const { query, signal, repeatQuery = true, ...ofEachPage } = options;
  const { cursor: start, ...filters } = input ?? {};
  const inPath = Object.fromEntries(Object.entries(filters).filter(([key]) => key in row.path));
  const { key, cursorExpires } = row.result as PageResult;

  return {
    context,
    key,
    signal,
    start: start as string | undefined,
    reportRepeated: () => transport.reportDrift(context, REPEATED),
    identify: () => ({ call, ...transport.identify(endpoint, input, query) }),
    async fetchPage(cursor, pageSignal, firstQuery) {
      const first = cursor === undefined;
      const sent = first ? input : { ...inPath, cursor };
      const sendOptions = {
        ...ofEachPage,
        signal: pageSignal,
        ...(first && { query }),
        ...((first || repeatQuery) && { sentQuery: firstQuery }),
      };
      try {
        return await tracePage(context, first, async () => {
          const { output } = await transport.send(endpoint, sent, sendOptions);
          const response = output as { data: T[]; cursor?: string | null; meta?: unknown };
          const { data: items, meta } = response;
          // An empty cursor leads nowhere, so it counts as none.
          return { items, cursor: response.cursor || undefined, meta };
        });
      } catch (error) {
        const expired =
          !first &&
          isApiError(error, STATUS.badRequest) &&
          (cursorExpires === true || error.code === EXPIRED);
        throw expired ? new CursorExpiredError(error, cursor) : error;
      }
    },
  };
}

const REPEATED = [{ path: "data", message: "begins with the rows that ended the page before" }];
/** The code that the client's reader of error bodies returns if the body says that the cursor has expired. */
const EXPIRED = "cursor_expired";

/** Starts a walk of a source. `identity` contains the query of its first page. */
export function startWalk<T>(
  source: Source<T>,
  identity: QueryIdentity,
  settings: WalkSettings,
  resumeFrom: PlaceInList | undefined,
): Walk<T> {
  const fetchPage: WalkSource<T>["fetchPage"] = (cursor, signal) =>
    source.fetchPage(cursor, signal, identity.query);
  return createWalk({ ...source, identity, fetchPage }, settings, resumeFrom);
}

/** An empty object for each list, which messages may contain. */
const lists = new WeakMap<object, object>();

/** Publishes the reading of a page to `fieldmesh:page`. `context` is the same object for all pages of a list. */
function tracePage<T>(
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
