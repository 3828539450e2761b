import { options, readInput } from "@fieldmesh/core/internal";
import {
  bind,
  bindClient,
  clientTable,
  createTransport,
  InputError,
  type ClientMethods,
  type ClientOptions,
  type Transport,
} from "@fieldmesh/http/internal";
import manifest from "../package.json" with { type: "json" };
import { checkObserved, checkStated } from "./check.ts";
import { mapper, type Mapper } from "./mapper.ts";
import { mapperService } from "./service.ts";

/**
 * Options of {@link createMapperClient}. It needs no key, because the map accepts uplinks from everyone. With `observedRules: true`,
 * `ingest` rejects what `check` reports. By default, it rejects only what the published spec does not accept.
 */
export interface MapperClientOptions extends ClientOptions {}

/** The client of the mapping ingest. */
export interface MapperClient extends Mapper, ClientMethods<MapperClient, MapperClientOptions> {}

/**
 * Creates a client of the mapping ingest. What it submits is shown on a public map.
 *
 * Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * const client = createMapperClient({ baseUrl: process.env.MAPPER_URL! });
 * await client.ingest(uplink);
 * ```
 */
export function createMapperClient(given: MapperClientOptions): MapperClient {
  return create(given);
}

const readOptions = /* @__PURE__ */ options<MapperClientOptions>("createMapperClient", clientTable);

function create(given: MapperClientOptions, parent?: Transport): MapperClient {
  const settings = readOptions(given);
  const transport = createTransport(settings, {
    service: mapperService,
    parent,
    userAgent: `${manifest.name.replace("@", "").replace("/", "-")}/${manifest.version}`,
  });
  const methods = bind("mapper", mapper, {
    ...transport,
    // By default, the schema of the row rejects the same uplinks. These messages say what to do.
    async send(endpoint, input, ...how) {
      const check = settings.observedRules === true ? checkObserved : checkStated;
      const problems = readInput(`The input of ${endpoint.call}`, () => check(input));
      if (problems.length > 0)
        throw new InputError({ call: endpoint.call, route: endpoint.row.route }, problems);
      return await transport.send(endpoint, input, ...how);
    },
  });
  return { ...methods, ...bindClient(transport, settings, create) };
}
