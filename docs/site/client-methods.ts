import type { Service } from "@fieldmesh/sandbox/internal/services";
import type ts from "typescript";
import { indexFile, type Method, type SourceTypes } from "../documents/source-types.ts";
import { cell, code, defaultOf, fence, page, prose, table, withFrontmatter } from "./markdown.ts";
import { clientName, programOfMethod } from "./program.ts";

/** A method that the client has besides its endpoints. */
interface ClientMethod extends Method {
  /** As a reader calls it: `devices.createMany`. */
  readonly call: string;
}

const LONGEST_TYPE = 72;
/** The options that calls of endpoints accept, and the headings of their tables. */
const KINDS_OF_CALLS: Readonly<Record<string, string>> = {
  CallOptions: "Options of a call",
  IdempotentCallOptions: "Options of a call with an idempotency key",
  PagerOptions: "Options of a list",
};

/** Returns the methods of the resources that no row of an endpoint declares. */
export function ownMethodsOf(service: Service, types: SourceTypes): ClientMethod[] {
  const client = clientOf(service, types);
  return Object.keys(service.tables).flatMap((resource) => {
    const type = types.field(client, resource);
    const methods = type === undefined ? [] : types.methodsOf(type);
    return methods.map((method) => ({ ...method, call: `${resource}.${method.name}` }));
  });
}

/** Writes the pages of what a client has besides its endpoints, by path: methods of its resources, and the client itself. */
export function writeClientPages(
  service: Service,
  types: SourceTypes,
): [path: string, text: string][] {
  const own = ownMethodsOf(service, types);
  const folder = `reference/${service.name}`;
  const client: [string, string] = [`${folder}/client.md`, writeClient(service, types)];
  if (own.length === 0) return [client];
  return [[`${folder}/methods.md`, writeMethods(own, service, types)], client];
}

/** Writes methods for many records, followers and the like. */
function writeMethods(
  methods: readonly ClientMethod[],
  service: Service,
  types: SourceTypes,
): string {
  const names = methods.map(({ call }) => call).join(", ");
  return withFrontmatter(
    {
      title: `Methods of the client · ${service.title}`,
      description: `What the client of the ${service.title.toLowerCase()} has besides its endpoints: ${names}.`,
      outline: 2,
    },
    page([
      "# Methods of the client",
      `What the resources of the [${service.title.toLowerCase()}](../${service.name}.md) have besides a method for each endpoint: they send several requests, or none. See also [the client itself](./client.md).`,
      ...methods.map((method) => writeMethod(method, service, types)),
    ]),
  );
}

/** Writes the client with all its options, what a list returns, and the options of every call. */
function writeClient(service: Service, types: SourceTypes): string {
  const client = clientOf(service, types);
  const limits = types.field(client, "rateLimit")!;
  const file = indexFile(service.package);
  const create = types.functionIn(file, `create${clientName(service)}`);
  const methods = [
    { ...create, call: create.name },
    ...types.methodsOf(client).map((each) => ({ ...each, call: `client.${each.name}` })),
    ...types.methodsOf(limits).map((each) => ({ ...each, call: `client.rateLimit.${each.name}` })),
  ];
  const calls = printCalls(service, types);
  const walk = ["TimedPager", "Pager"].find((name) =>
    calls.some((each) => each.includes(` ${name}<`)),
  );
  const kinds = Object.entries(KINDS_OF_CALLS).filter(
    ([name]) => name === "CallOptions" || calls.some((each) => each.includes(name)),
  );
  return withFrontmatter(
    {
      title: `Client and options · ${service.title}`,
      description: `${create.name} with all its options, the methods of the client itself, and the options of every call.`,
      outline: 2,
    },
    page([
      "# Client and options",
      `The client of the [${service.title.toLowerCase()}](../${service.name}.md), with all its options and those of every call.`,
      ...methods.map((method) => writeMethod(method, service, types)),
      ...(walk === undefined ? [] : [writeWalks(walk, file, types)]),
      ...kinds.flatMap(([name, title]) => [
        `## ${title}`,
        memberTable("option", types.declaredIn(file, name), types),
      ]),
    ]),
  );
}

/** The types of the methods of all resources, as an editor shows them. */
function printCalls(service: Service, types: SourceTypes): string[] {
  const client = clientOf(service, types);
  return Object.keys(service.tables).flatMap((resource) => {
    const type = types.field(client, resource);
    return type === undefined
      ? []
      : types.fieldsOf(type).map((name) => types.print(types.field(type, name)!));
  });
}

function clientOf(service: Service, types: SourceTypes): ts.Type {
  return types.declaredIn(indexFile(service.package), clientName(service));
}

/** Writes a section like that of an endpoint: what it does, a program, what it accepts, what it returns, how it fails. */
function writeMethod(method: ClientMethod, service: Service, types: SourceTypes): string {
  const { call, text, parameters, returns } = method;
  const options = parameters.findLast(({ name }) => /^(options|given|own)$/.test(name));
  const inputs = parameters.filter((each) => each !== options);
  const awaited = types.awaitedOf(returns);
  const result = awaited === undefined ? "" : memberTable("member", awaited, types);
  return page([
    `## ${call}`,
    prose(text.description ?? ""),
    text.example !== undefined && fence("ts", programOfMethod(method, service, types)),
    ...inputs.map(({ name, type }) => {
      const element = types.elementOf(type);
      const fields = memberTable("field", element ?? type, types);
      const what =
        element === undefined ? typeCode(type, types) : `any number of ${typeCode(element, types)}`;
      return page([`**${name}:** ${what}`, fields]).trim();
    }),
    options !== undefined && memberTable("option", options.type, types),
    `**Returns** ${typeCode(returns, types)}${types.isAsyncIterable(returns) ? ": loop over it with `for await`" : ""}`,
    memberTable("member", returns, types),
    result !== "" && `**Resolves to** ${typeCode(awaited!, types)}`,
    result,
    table(
      ["how it fails"],
      (text.throws ?? []).map((each) => [cell(each)]),
    ),
  ]);
}

function writeWalks(name: string, file: string, types: SourceTypes): string {
  const type = types.declaredIn(file, name);
  return page([
    "## Walks",
    "A method of a list returns a pager: it sends nothing until you walk through it with `for await`, or call one of its methods.",
    memberTable("member", type, types),
    "A walk has these members. `for await` uses `next` and `return`:",
    memberTable("member", types.declaredIn(file, "PagerIterator"), types),
  ]);
}

/** The members of a client that need no sentence of their own. */
const RESOURCE = "The methods of a resource, which has a page.";

/** A table of everything that an object of ours has. Empty for values, and for objects of the language. */
function memberTable(head: string, type: ts.Type, types: SourceTypes): string {
  const rows = types.ownMembersOf(type).map(({ name, isOptional, type: of, text }) => [
    `${code(name)}${isOptional || head === "member" ? "" : " (required)"}`,
    typeCode(of, types),
    [
      text.description ?? (head === "member" ? RESOURCE : undefined),
      text.fallback && `Default: ${defaultOf(text.fallback)}`,
    ]
      .filter((part) => part !== undefined)
      .map(cell)
      .join(" "),
  ]);
  return table([head, "type", "description"], rows);
}

function typeCode(type: ts.Type, types: SourceTypes): string {
  const printed = types
    .print(type)
    .replace(/ \| undefined\b/g, "")
    .replace(/\s+/g, " ");
  if (printed.length <= LONGEST_TYPE && !printed.includes("__")) return cell(code(printed));
  return code(types.isFunction(type) ? "function" : "object");
}
