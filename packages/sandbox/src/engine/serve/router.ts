import { memberOf, recordOf, mistake } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import type { Endpoint, Sample } from "@fieldmesh/http/internal";

/** Tables of a service, by resource. */
export type Tables = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** A row, which may have its example: see {@link withSamples}. */
export interface Row extends Endpoint {
  readonly sample?: Sample | undefined;
}

export interface Match {
  readonly resource: string;
  readonly name: string;
  readonly endpoint: Row;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

export interface Target {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed. */
  readonly body: unknown;
}

/**
 * Makes a function that finds the row of a request, or `undefined`.
 *
 * The most specific route wins: a literal segment before a parameter, a query in the route before none. Among rows of
 * one route it is the one that query and body fit, or come closest to, so that a broken body still reaches the
 * row that was meant. A slash at the end makes no difference.
 */
export function createRouter(tables: Tables): (target: Target) => Match | undefined {
  const routes = Object.entries(tables).flatMap(([resource, table]) =>
    Object.entries(recordOf(table) as Tables[string]).map(([name, endpoint]) =>
      readRoute(resource, name, endpoint),
    ),
  );
  // Stable, so rows of one route stay in the order of their table.
  routes.sort(bySpecificity);
  return (target) => {
    const segments = segmentsOf(target.path);
    const fitting = routes.filter((route) => fitsRoute(route, segments, target));
    const [first] = fitting;
    if (first === undefined) return undefined;
    const same = fitting.filter((route) => bySpecificity(first, route) === 0);
    const found = same.length > 1 ? closest(same, target) : first;
    const { resource, name, endpoint } = found;
    const path = readPath(found, segments);
    return path && { resource, name, endpoint, path };
  };
}

interface Routed extends Omit<Match, "path"> {
  readonly method: string;
  readonly segments: readonly string[];
  /** The query that the route itself has. */
  readonly fixed: readonly (readonly [string, string])[];
  readonly required: readonly string[];
}

function readRoute(resource: string, name: string, endpoint: Endpoint): Routed {
  if (typeof memberOf(endpoint, "route") !== "string")
    throw mistake(`${resource}.${name} is not a row: create it with endpoint("GET /…", { … }).`);
  const [method = "", template = ""] = endpoint.route.split(" ");
  const [path = "", query] = template.split("?");
  const required = Object.entries(endpoint.query)
    .filter(([, schema]) => !z.safeParse(schema, undefined).success)
    .map(([key]) => key);
  const fixed = [...new URLSearchParams(query)];
  return { resource, name, endpoint, method, segments: segmentsOf(path), fixed, required };
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, "").split("/").slice(1);
}

function bySpecificity(a: Routed, b: Routed): number {
  for (const [index, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[index] ?? ""));
    if (difference !== 0) return difference;
  }
  return b.fixed.length - a.fixed.length;
}

function fitsRoute(
  { method, segments, fixed }: Routed,
  actual: readonly string[],
  target: Target,
): boolean {
  return (
    method === target.method &&
    segments.length === actual.length &&
    segments.every((segment, index) => isParameter(segment) || segment === actual[index]) &&
    fixed.every(([key, value]) => target.query.get(key) === value)
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith(":");
}

function closest(routes: readonly Routed[], { query, body }: Target): Routed {
  const marks = routes.map((route) => ({
    route,
    missing: route.required.filter((key) => !query.has(key)).length,
    present: Object.keys(route.endpoint.query).filter((key) => query.has(key)).length,
    body: closeness(route.endpoint.body, body),
  }));
  marks.sort((a, b) => a.missing - b.missing || b.present - a.present || b.body - a.body);
  return (marks[0] as { route: Routed }).route;
}

const KNOWN_AND_VALID = 2;
const KNOWN = 1;

/** How much of a body a schema understands. */
function closeness(schema: z.core.$ZodType | undefined, body: unknown): number {
  if (schema === undefined) return 0;
  const { success, error } = z.safeParse(schema, body);
  if (success) return Number.POSITIVE_INFINITY;
  const unknown = new Set(
    error.issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : [])),
  );
  const invalid = new Set(error.issues.map((issue) => issue.path[0]));
  const keys = Object.keys(recordOf(body));
  return keys.reduce(
    (sum, key) => sum + (unknown.has(key) ? 0 : invalid.has(key) ? KNOWN : KNOWN_AND_VALID),
    0,
  );
}

/** Returns `undefined` for a path that cannot be decoded. */
function readPath(
  { segments }: Routed,
  actual: readonly string[],
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      segments.flatMap((segment, index) =>
        isParameter(segment) ? [[segment.slice(1), decodeURIComponent(actual[index] ?? "")]] : [],
      ),
    );
  } catch {
    return undefined;
  }
}
