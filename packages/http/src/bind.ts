import type { Endpoint, Table } from "./endpoint.js";
import type { Methods } from "./methods.js";
import { createPager } from "./pager.js";
import type { BoundRow } from "./request.js";
import { kindOf } from "./result.js";
import type { SendOptions, Transport } from "./transport.js";
import { reservedWords } from "./url.js";
import { outputOf, type CallResult } from "./with-response.js";

/**
 * Makes the methods of a table: plain functions with the row's name, so that a stack trace shows `labels.get`.
 *
 * @example
 * ```ts
 * const client = { labels: bind("labels", labels, transport) };
 * ```
 */
export function bind<T extends Table>(
  resource: string,
  table: T,
  transport: Transport,
): Methods<T> {
  const routes = Object.values(table).map((row) => row.route);
  const methods = Object.entries(table).map(([name, row]) => {
    const call = `${resource}.${name}`;
    const bound: BoundRow = { row, call, reserved: reservedWords(routes, row.route) };
    return [
      name,
      kindOf(row.result) === "page" ? pageMethod(bound, transport) : plainMethod(bound, transport),
    ];
  });
  // The mapped type says what each row becomes; the loop makes exactly that.
  return Object.fromEntries(methods) as Methods<T>;
}

function plainMethod(
  bound: BoundRow,
  transport: Transport,
): (...args: unknown[]) => Promise<unknown> {
  const { call, row } = bound;
  // Its name is what V8 prints for the async frame.
  const run = named(
    call,
    async (input: unknown, options: unknown): Promise<CallResult> =>
      await transport.send(bound, input, options as SendOptions | undefined),
  );
  return named(call, (...args) =>
    outputOf(takesInput(row) ? run(args[0], args[1]) : run(undefined, args[0])),
  );
}

function pageMethod(bound: BoundRow, transport: Transport): (...args: unknown[]) => unknown {
  return named(bound.call, (input, options) =>
    createPager(
      bound,
      transport,
      input as Record<string, unknown> | undefined,
      options as SendOptions | undefined,
    ),
  );
}

function takesInput({ path, query, body }: Endpoint): boolean {
  return body !== undefined || Object.keys(path).length + Object.keys(query).length > 0;
}

function named<F>(name: string, method: F): F {
  return Object.defineProperty(method, "name", { value: name });
}
