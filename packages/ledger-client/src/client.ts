import { bind, createTransport, type ClientOptions } from "@fieldmesh/http";
import { name, version } from "../package.json";
import { accounts, type Accounts } from "./accounts.js";
import { bindBlocks, type Blocks } from "./blocks.js";
import { locations, type Locations } from "./locations.js";
import { ledgerService } from "./service.js";
import { vars, type Vars } from "./vars.js";

/** Options of {@link createLedgerClient}. There is no key: the ledger only reads. */
export interface LedgerClientOptions extends ClientOptions {}

/** The ledger, by resource. */
export interface LedgerClient {
  readonly blocks: Blocks;
  readonly accounts: Accounts;
  readonly vars: Vars;
  readonly locations: Locations;
}

/**
 * Creates a client of the ledger. Nothing is sent until a method is called or a list is walked.
 *
 * Throws a TypeError for options that cannot work. The ledger interface is stated to be possibly no longer available
 * after a migration of its network: try your deployment before you rely on it.
 *
 * @example
 * ```ts
 * const client = createLedgerClient({ baseUrl: "https://ledger.example.com" });
 * for await (const block of client.blocks.list().take(3)) console.log(block.height);
 * ```
 */
export function createLedgerClient(options: LedgerClientOptions): LedgerClient {
  const transport = createTransport(options, {
    service: ledgerService,
    userAgent: `${name.replace("@", "").replace("/", "-")}/${version}`,
  });
  return {
    blocks: bindBlocks(transport),
    accounts: bind("accounts", accounts, transport),
    vars: bind("vars", vars, transport),
    locations: bind("locations", locations, transport),
  };
}
