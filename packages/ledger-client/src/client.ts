import { options } from "@fieldmesh/core/internal";
import {
  bind,
  bindClient,
  clientTable,
  createTransport,
  type ClientMethods,
  type ClientOptions,
  type Transport,
} from "@fieldmesh/http/internal";
import { createPager } from "@fieldmesh/http/internal/pager";
import manifest from "../package.json" with { type: "json" };
import { accounts, type Accounts } from "./accounts.ts";
import { blocks, type Blocks } from "./blocks.ts";
import { follow } from "./follow.ts";
import { locations, type Locations } from "./locations.ts";
import { ledgerService } from "./service.ts";
import { bindTimed } from "./parallel/timed-pager.ts";
import { vars, type Vars } from "./vars.ts";

/** Options of {@link createLedgerClient}. It needs no key, because the ledger is read-only. */
export interface LedgerClientOptions extends ClientOptions {}

/** The client of the ledger, by resource. */
export interface LedgerClient extends ClientMethods<LedgerClient, LedgerClientOptions> {
  readonly blocks: Blocks;
  readonly accounts: Accounts;
  readonly vars: Vars;
  readonly locations: Locations;
}

/**
 * Creates a client of the ledger. It sends nothing until you call a method or iterate over a list.
 *
 * Throws a TypeError for invalid options. The specification says that the ledger API may no longer be available after a migration
 * of its network: test your deployment before you rely on it.
 *
 * @example
 * ```ts
 * const client = createLedgerClient({ baseUrl: "https://ledger.example.com" });
 * for await (const block of client.blocks.list().take(3)) console.log(block.height);
 * ```
 */
export function createLedgerClient(given: LedgerClientOptions): LedgerClient {
  return create(given);
}

const readOptions = /* @__PURE__ */ options<LedgerClientOptions>("createLedgerClient", clientTable);

function create(given: LedgerClientOptions, parent?: Transport): LedgerClient {
  const settings = readOptions(given);
  const transport = createTransport(settings, {
    service: ledgerService,
    parent,
    userAgent: `${manifest.name.replace("@", "").replace("/", "-")}/${manifest.version}`,
  });
  const blockRows = bind("blocks", blocks, transport, createPager);
  return {
    blocks: { ...blockRows, follow: (from) => follow(blockRows, from) },
    accounts: bindTimed("accounts", accounts, transport),
    vars: bind("vars", vars, transport, createPager),
    locations: bind("locations", locations, transport),
    ...bindClient(transport, settings, create),
  };
}
