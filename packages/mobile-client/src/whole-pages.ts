import { recordOf } from "@fieldmesh/core/internal";
import { ResponseValidationError, type Transport } from "@fieldmesh/http/internal";

/** Reads cursors under other names, and throws if a page announces another without a cursor: the list would end early. */
export function wholePages(transport: Transport): Transport {
  return {
    ...transport,
    async send(endpoint, ...others) {
      const result = await transport.send(endpoint, ...others);
      const page = recordOf(result.output);
      if (isToken(page["cursor"])) return result;
      const cursor = page["next_cursor"] ?? page["nextCursor"];
      // An empty cursor and another one contradict each other, and the client cannot decide between them.
      if (page["cursor"] == null && isToken(cursor))
        return { ...result, output: { ...page, cursor } };
      const sign = signOfMore(page);
      if (sign === undefined) return result;
      const { status, attempts } = result;
      const { call, row } = endpoint;
      const context = { call, route: row.route, outcome: "applied", attempts } as const;
      const message = "says that there is more, but the response has no cursor";
      throw new ResponseValidationError(context, {
        status,
        problems: [{ path: sign, message }],
        body: "",
        advice: "Read the pages with the parameters of your deployment, in the option query.",
      });
    },
  };
}

function isToken(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

const PLACES = ["", "meta", "links", "_links", "pagination", "paging"];
const SIGNS = [
  "next_cursor",
  "nextCursor",
  "has_more",
  "hasMore",
  "next",
  "next_page",
  "next_page_token",
];

/** Returns where a page announces another one, in the usual places. */
function signOfMore(page: Record<string, unknown>): string | undefined {
  for (const place of PLACES) {
    const holder = place === "" ? page : recordOf(page[place]);
    const sign = SIGNS.find((name) => !saysNo(holder[name]));
    if (sign !== undefined) return place === "" ? sign : `${place}.${sign}`;
  }
  return undefined;
}

function saysNo(value: unknown): boolean {
  return value == null || value === false || value === "";
}
