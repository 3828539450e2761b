import type { Layer } from "../serve/call.ts";
import type { ServiceSetting } from "../serve/serve.ts";
import { loadWindows } from "../saved/saved.ts";
import type { FaultScript } from "../faults/fault-script.ts";
import { type ConsoleOptions, type ServedConsole, serveConsole } from "../console/console.ts";
import { type ServedLedger, serveLedger } from "../ledger/ledger.ts";
import type { LedgerOptions } from "../ledger/ledger-state.ts";
import { type MapperOptions, type ServedMapper, serveMapper } from "../mapper/mapper.ts";
import type { MobileOptions } from "../mobile/mobile-state.ts";
import { type ServedMobile, serveMobile } from "../mobile/mobile.ts";
import type { Change } from "../time/journal.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { SavedServices } from "./snapshot.ts";

/** The services, ready to respond. A new service needs a line in each part of this file. */
export interface Served {
  readonly console: ServedConsole;
  readonly ledger: ServedLedger;
  readonly mapper: ServedMapper;
  readonly mobile: ServedMobile;
}

/** The name of a service, and of its member in a sandbox. */
export type ServiceName = keyof Served;

/** The differences between deployments of each service. */
export interface ServiceOptions {
  /** The device console. */
  console?: ConsoleOptions | undefined;
  /** The ledger. */
  ledger?: LedgerOptions | undefined;
  /** The mapping ingest. */
  mapper?: MapperOptions | undefined;
  /** The mobile service, and its webhooks. */
  mobile?: MobileOptions | undefined;
}

export interface Surroundings extends Omit<ServiceSetting<SavedServices>, "around" | "windows"> {
  /** When the sandbox was created. A reset does not change it. */
  readonly began: number;
  /** The layers that run before those of a service. */
  readonly around: (service: ServiceName) => readonly Layer[];
  readonly webhooks: () => Webhooks;
  /** The current faults. */
  readonly faults: () => FaultScript | undefined;
  readonly change: Change<Served>;
}

export function serveAll(options: ServiceOptions, surroundings: Surroundings): Served {
  const of = <Name extends ServiceName>(name: Name) => ({
    ...surroundings,
    around: surroundings.around(name),
    windows: loadWindows(surroundings.saved?.[name].windows),
    saved: surroundings.saved?.[name],
  });
  return {
    console: serveConsole(options.console ?? {}, of("console")),
    ledger: serveLedger(options.ledger ?? {}, of("ledger")),
    mapper: serveMapper(options.mapper ?? {}, of("mapper")),
    mobile: serveMobile(options.mobile ?? {}, of("mobile")),
  };
}
