import {
  anything,
  describeValue,
  mistake,
  nearest,
  options,
  wholeNumber,
  type OptionTable,
} from "@fieldmesh/core/internal";
import * as consoleTables from "@fieldmesh/console-client/endpoints";
import * as ledgerTables from "@fieldmesh/ledger-client/endpoints";
import * as mapperTables from "@fieldmesh/mapper-client/endpoints";
import * as mobileTables from "@fieldmesh/mobile-client/endpoints";
import { someMilliseconds } from "../checks.ts";
import type { Tables } from "../serve/router.ts";
import type { Fault } from "../serve/fault.ts";

/** What a rule may affect: the rows of each service, and all rows of a resource. */
export const PLACES = {
  console: placesOf(consoleTables),
  ledger: placesOf(ledgerTables),
  mapper: placesOf(mapperTables),
  mobile: placesOf(mobileTables),
};
type Service = keyof typeof PLACES;
const SERVICES = Object.keys(PLACES);

function placesOf(tables: Tables): string[] {
  return Object.entries(tables).flatMap(([resource, table]) => [
    ...Object.keys(table).map((name) => `${resource}.${name}`),
    `${resource}.*`,
  ]);
}

const kind = { required: anything };
const FAULTS: {
  readonly [Kind in Fault["kind"]]: OptionTable<Extract<Fault, { kind: Kind }>>;
} = {
  status: {
    kind,
    status: { required: /* @__PURE__ */ wholeNumber(200, 599) },
    body: anything,
    contentType: anything,
    retryAfter: anything,
    afterWork: anything,
  },
  stale: { kind, ms: anything },
  reset: { kind },
  lost: { kind },
  truncate: { kind, bytes: anything, clean: anything },
  garbage: { kind },
  delay: { kind, ms: { required: someMilliseconds }, virtual: anything, afterWork: anything },
};
const KINDS = Object.keys(FAULTS);

/** Reads a fault. Throws a TypeError for an invalid one. `more` are the checks of its further options. */
export function readFault<Read extends Fault>(owner: string, fault: Read, more: object = {}): Read {
  if (!KINDS.includes(fault.kind))
    throw mistake(`${owner}.kind must be ${KINDS.join(", ")}${meant(fault.kind, KINDS)}`);
  // The compiler does not see that the table is that of the kind.
  return options<never>(owner, { ...FAULTS[fault.kind], ...more } as never)(fault, owner);
}

/** Throws a TypeError for the name of a row or a service that does not exist. */
export function checkPlace(owner: string, on: unknown, service?: unknown): void {
  if (service !== undefined && !SERVICES.includes(service as string))
    throw mistake(
      `${owner}.service must be one of ${SERVICES.join(", ")}${meant(service, SERVICES)}`,
    );
  if (on === undefined || on === "*") return;
  const places = service === undefined ? Object.values(PLACES).flat() : PLACES[service as Service];
  if (places.includes(on as string)) return;
  const whose = service === undefined ? "" : ` of the ${service as Service} service`;
  throw mistake(
    `${owner}.on must be a row${whose}, such as ${places[0]}, or all of a resource, such as ${places.at(-1)}${meant(on, places)}`,
  );
}

/** Returns the end of a sentence about a name that does not exist. */
function meant(given: unknown, names: readonly string[]): string {
  if (typeof given !== "string") return `; it is ${describeValue(given)}.`;
  const name = nearest(given, names);
  return name === undefined ? "." : `. Did you mean "${name}"?`;
}
