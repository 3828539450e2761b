import { kindOf } from "../src/internal.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { services, type Service } from "../../sandbox/src/services.ts";
import { API_KEY, rows, userInput, type RowUnderTest } from "../../../tools/testing/services.ts";
import { judge } from "../../../tools/testing/judge.ts";
import { junk } from "../../../tools/testing/junk.ts";

// Junk in every place of every public method of the clients: the client rejects it with its own error before a request is sent, and never with
// the error of a getter or a proxy.

const unhandled: unknown[] = [];
const keep = (error: unknown): void => void unhandled.push(error);
beforeAll(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  process.on("unhandledRejection", keep);
});
afterAll(() => {
  process.off("unhandledRejection", keep);
  vi.restoreAllMocks();
  if (unhandled.length > 0) throw new Error("a rejection that nobody handles");
});

let requests = 0;
const options = {
  baseUrl: "https://service.test",
  apiKey: API_KEY,
  retry: false as const,
  timeout: 1_000,
  fetch: async () => {
    requests++;
    return Response.json({ error: "no" }, { status: 400 });
  },
};
type AnyMethod = (...args: unknown[]) => unknown;
type AnyClient = Readonly<Record<string, Readonly<Record<string, AnyMethod>>>> &
  Readonly<Record<"request" | "withOptions", AnyMethod>>;
const clients = new Map(services.map((service) => [service, service.createClient(options)]));
const clientOf = (service: Service): AnyClient => {
  const client = clients.get(service) as AnyClient & { mapper?: object };
  // The only resource of the map is the client itself.
  return { ...client.mapper, ...client };
};

/** Returns the faults of calls with junk. `isSent` says for which junk a request may be sent. */
async function faultsOf(
  call: (value: unknown) => unknown,
  isSent: (value: unknown) => boolean,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, make] of Object.entries(junk)) {
    const value = make();
    requests = 0;
    const fault = await judge(() => call(value));
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
    else if (requests > 0 && !isSent(value)) faults.push(`${name}: it is sent`);
  }
  return faults;
}

/** Runs a method to its end, including all pages of a list. */
function run({ service, resource, name, row }: RowUnderTest, ...args: unknown[]): unknown {
  const returned = clientOf(service)[resource]![name]!(...args);
  if (kindOf(row.result) !== "page") return returned;
  return (returned as { toArray: AnyMethod }).toArray({ limit: 3 });
}

const anything = (): boolean => true;
const fieldsOf = ({ path, query, body }: RowUnderTest["row"]): boolean =>
  body !== undefined || Object.keys(path).length + Object.keys(query).length > 0;

describe("junk as the input", () => {
  test.for(rows.filter(({ row }) => fieldsOf(row)))("of $call", async (each) => {
    const isObject = (value: unknown): boolean => value === undefined || typeof value === "object";
    const faults = await faultsOf((value) => run(each, value), isObject);
    expect(faults).toEqual([]);
  });
});

describe("junk as a field", () => {
  const fields = rows.flatMap((each) =>
    Object.keys(userInput(each.row)).map((field) => ({ ...each, field })),
  );
  test.for(fields)("$field of $call", async (each) => {
    const input = userInput(each.row);
    expect(
      await faultsOf((value) => run(each, { ...input, [each.field]: value }), anything),
    ).toEqual([]);
  });
});

describe("junk as the options of a call", () => {
  test.for(rows)("of $call", async (each) => {
    const input = fieldsOf(each.row) ? [userInput(each.row)] : [];
    const isSent = (value: unknown): boolean =>
      value === undefined || (typeof value === "object" && value !== null);
    expect(await faultsOf((value) => run(each, ...input, value), isSent)).toEqual([]);
  });
});

describe.each(services)("the client of $package", (service) => {
  test.for(["baseUrl", "apiKey", "fetch", "retry", "headers", "hooks", "logger", "validation"])(
    "junk as its option %s",
    async (name) => {
      const create = (value: unknown): unknown =>
        service.createClient({ ...options, [name]: value } as never);
      expect(await faultsOf(create, anything)).toEqual([]);
    },
  );

  test("junk as a request, and as its members", async () => {
    const { request } = clientOf(service);
    expect(
      await faultsOf(
        (value) => request(value),
        () => false,
      ),
    ).toEqual([]);
    for (const member of ["method", "path", "query", "body", "schema"]) {
      const send = (value: unknown): unknown =>
        request({ method: "POST", path: "/things", [member]: value });
      const faults = await faultsOf(send, anything);
      expect(faults.map((fault) => `${member}: ${fault}`)).toEqual([]);
    }
  });
});
