import {
  bind,
  createTransport,
  InputError,
  OBSERVED_ADVICE,
  type ClientOptions,
  type Problem,
} from "@fieldmesh/http";
import manifest from "../package.json" with { type: "json" };
import { check, checkStated } from "./check.ts";
import { mapper, type Mapper } from "./mapper.ts";
import { mapperService } from "./service.ts";

/**
 * Options of {@link createMapperClient}. It needs no key: the map accepts uplinks from everyone. With `observedRules: true`,
 * `ingest` rejects what {@link check} reports; by default, only what the published spec does not accept.
 */
export interface MapperClientOptions extends ClientOptions {}

/** The mapping ingest. */
export interface MapperClient extends Mapper {}

/**
 * Creates a client of the mapping ingest. What it submits is shown on a public map.
 *
 * Throws a TypeError for options that cannot work.
 *
 * @example
 * ```ts
 * const client = createMapperClient({ baseUrl: process.env.MAPPER_URL! });
 * await client.ingest(uplink);
 * ```
 */
export function createMapperClient(options: MapperClientOptions): MapperClient {
  const transport = createTransport(options, {
    service: mapperService,
    userAgent: `${manifest.name.replace("@", "").replace("/", "-")}/${manifest.version}`,
  });
  return bind("mapper", mapper, {
    ...transport,
    // The row's schema rejects the same uplinks by default; these messages say what to do.
    async send(bound, input, callOptions) {
      const stated = checkStated(input);
      const problems = options.observedRules === true ? checkAll(input, stated) : stated;
      if (problems.length > 0)
        throw new InputError({ call: bound.call, route: bound.row.route }, problems);
      return await transport.send(bound, input, callOptions);
    },
  });
}

/** All problems of an uplink; those that the published spec does not know say how to turn them off. */
function checkAll(uplink: unknown, stated: readonly Problem[]): Problem[] {
  const isStated = (problem: Problem): boolean =>
    stated.some(({ path, message }) => path === problem.path && message === problem.message);
  return check(uplink).map((problem) =>
    isStated(problem) ? problem : { ...problem, message: `${problem.message} ${OBSERVED_ADVICE}` },
  );
}
