import { isRecord, mistake, readInput } from "@fieldmesh/core/internal";
import type { ClientMethods } from "./client-methods.ts";
import type { Transport } from "./transport.ts";

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
