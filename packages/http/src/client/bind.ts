import { readInput, isRecord, mistake } from "@fieldmesh/core/internal";
import { checkCallOptionNames, type SendOptions } from "../options/call-options.ts";
import type { Table } from "../table/row.ts";
import type { Methods, ClientMethods } from "./methods.ts";
import type { CreatePager, PagersOf } from "../pager/pager.ts";
import type { PagerCall } from "../pager/source.ts";
import { PAGER_OPTION_NAMES } from "../pager/pager-options.ts";
import type { BoundRow } from "../request/request.ts";
import { kindOf } from "../table/result.ts";
import type { Transport } from "./transport.ts";
import type { Fence } from "../wire/deadline.ts";
import { reservedWords } from "../wire/url.ts";
import { outputOf } from "../response/with-response.ts";

/** Creates the methods of a table: plain functions with the name of the row, so that a stack trace shows `labels.get`. */
export function bind<T extends Table>(
  resource: string,
  table: T,
  transport: Transport,
  ...[createPager]: PagersOf<T>
): Methods<T> {
  const routes = Object.values(table).map((row) => row.route);
  const methods = Object.entries(table).map(([name, row]) => {
    const call = `${resource}.${name}`;
    const endpoint: BoundRow = { row, call, reserved: reservedWords(routes, row.route) };
    const method = kindOf(row.result) === "page" ? pageMethod : plainMethod;
    return [name, named(call, method(endpoint, transport, createPager as CreatePager))];
  });
  // The mapped type declares what each row becomes, and the loop creates exactly that.
  return Object.fromEntries(methods) as Methods<T>;
}

type AnyMethod = (...given: never[]) => unknown;

/** After its options, the method accepts a fence, which only other packages of ours pass. */
function plainMethod(endpoint: BoundRow, transport: Transport): AnyMethod {
  const { path, query, body, idempotencyKey } = endpoint.row;
  // V8 prints this name for the async frame.
  const run = named(endpoint.call, async (input: unknown, options: unknown, fence?: Fence) => {
    checkCallOptionNames(endpoint.call, options, idempotencyKey ? ["idempotencyKey"] : []);
    return await transport.send(endpoint, input, options as SendOptions | undefined, fence);
  });
  return body === undefined && Object.keys({ ...path, ...query }).length === 0
    ? (options, fence?: Fence) => outputOf(run(undefined, options, fence))
    : (input, options, fence?: Fence) => outputOf(run(input, options, fence));
}

function pageMethod(endpoint: BoundRow, transport: Transport, createPager: CreatePager): AnyMethod {
  return (input, options) => {
    checkCallOptionNames(endpoint.call, options, PAGER_OPTION_NAMES);
    return readInput(`An argument of ${endpoint.call}`, () =>
      createPager({ endpoint, transport, input, options } as PagerCall),
    );
  };
}

function named<F>(name: string, method: F): F {
  return Object.defineProperty(method, "name", { value: name });
}

/** Creates the methods that every client has. `create` creates a client of the same kind, which shares its transport where possible. */
export function bindClient<Client, Options extends object>(
  transport: Transport,
  options: Options,
  create: (options: Options, parent: Transport) => Client,
): ClientMethods<Client, Options> {
  return {
    request: transport.request,
    rateLimit: { state: () => transport.connection.shared.limits.state() },
    withOptions(changed) {
      if (!isRecord(changed))
        throw mistake("withOptions requires an object, such as { timeout: 5_000 }.");
      const own = readInput("The argument of withOptions", () => ({ ...changed }));
      return create({ ...options, ...own }, transport);
    },
  };
}
