import * as z from "@fieldmesh/core/internal/zod";
import { data, endpoint, page, type Methods } from "@fieldmesh/http/internal";
import { cursor, pagedErrors, variableName } from "./fields.ts";

import { Transaction } from "./transaction.ts";

/** The endpoints of chain variables, one row for each. The client makes the methods of `client.vars` from them. */
export const vars = {
  /**
   * List the current chain variables, by name.
   *
   * The published spec does not describe the values: numbers, booleans, strings, arrays and maps were observed.
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * const variables = await client.vars.list();
   * console.log(variables["monthly_reward"]);
   * ```
   */
  list: endpoint("GET /v1/vars", {
    result: data(z.record(z.string(), z.unknown())),
    open: true,
  }),

  /**
   * Get the value of a chain variable. The name `activity` is rejected, because its path is another endpoint.
   *
   * @throws An {@link ApiError} with 404: Chain variable not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const reward = await client.vars.get({ name: "monthly_reward" }, { schema: z.number() });
   * ```
   */
  get: endpoint("GET /v1/vars/:name", {
    path: {
      /** The name of the variable, such as `monthly_reward`. */
      name: variableName,
    },
    result: data(z.unknown()),
    open: true,
    errors: { 404: "Chain variable not found" },
  }),

  /**
   * List the transactions that changed chain variables. The values in them are base64 (observed).
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const transaction of client.vars.activity()) console.log(transaction.height, transaction.hash);
   * ```
   */
  activity: endpoint("GET /v1/vars/activity", {
    query: cursor,
    result: page(Transaction, { key: ["hash"] }),
    open: true,
    errors: pagedErrors,
  }),
};

/** Chain variables, and the transactions that changed them. */
export interface Vars extends Methods<typeof vars> {}
