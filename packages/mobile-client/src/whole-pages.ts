import { ResponseValidationError, type Transport } from "@fieldmesh/http";

/**
 * A transport for lists whose paging is not in the published spec: it reads cursors under other names, and throws where a
 * page announces another one without a cursor, because a list that ends early looks whole.
 */
export function wholePages(transport: Transport): Transport {
  return {
    ...transport,
    async send(bound, input, options) {
      const result = await transport.send(bound, input, options);
      const page = result.output as Record<string, unknown>;
      if (page["cursor"] != null) return result;
      const cursor = page["next_cursor"] ?? page["nextCursor"];
      if (typeof cursor === "string" && cursor !== "")
        return { ...result, output: { ...page, cursor } };
      const sign = ["has_more", "hasMore", "next", "next_page"].find((name) => isMore(page[name]));
      if (sign === undefined) return result;
      const { status, attempts } = result.response;
      const facts = {
        call: bound.call,
        route: bound.row.route,
        outcome: "applied",
        attempts,
      } as const;
      throw new ResponseValidationError(facts, {
        status,
        problems: [{ path: sign, message: "says that there is more, and no cursor says where" }],
        body: "",
        advice: "Page through it by the parameters of your deployment, with the option query.",
      });
    },
  };
}

function isMore(value: unknown): boolean {
  return value === true || (typeof value === "string" && value !== "") || typeof value === "number";
}
