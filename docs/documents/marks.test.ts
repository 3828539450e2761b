import { services } from "@fieldmesh/sandbox/internal/services";
import { expect, test } from "vitest";
import { readDocument } from "../../tools/documents.ts";
import { eventTypesNotInContract } from "../../tools/testing/not-in-contract.ts";
import { writeCommands } from "./commands.ts";
import { isObservedStatus, marksStatus } from "./error-marks.ts";
import { MARK, OBSERVED } from "./observed-rules.ts";
import { operationsOf, rowsOf } from "./operations.ts";
import type { Json } from "./shapes.ts";
import { readSourceTypes } from "./source-types.ts";
import { isStatedForm, isStatedRequired, isStatedValue } from "./stated.ts";

const types = readSourceTypes();
const documents = [...services.map(({ name }) => `openapi/${name}.json`), "asyncapi/webhooks.json"];

test.for(services)(
  "each error of $name is stated, or its row marks it, and never both",
  (service) => {
    const wrong = rowsOf(service, types).flatMap((row) =>
      Object.keys(row.endpoint.errors)
        .filter((status) => marksStatus(row, +status) !== isObservedStatus(row, +status))
        .map((status) => `${row.call} ${status}`),
    );
    expect(wrong).toEqual([]);
    // The contract states no error that every call may have.
    for (const meaning of Object.values(service.errors)) expect(meaning).toContain(MARK);
  },
);

test.for(services)(
  "OpenAPI marks each error of $name that the contract does not state",
  (service) => {
    const { paths } = readDocument(`openapi/${service.name}.json`) as {
      paths: Record<string, Record<string, { responses: Record<string, Json> }>>;
    };
    for (const { path, method, rows } of operationsOf(service, types, false))
      for (const row of rows)
        for (const [status, meaning] of Object.entries(row.endpoint.errors)) {
          const response = paths[path]?.[method]?.responses[status];
          const texts = String(response?.["description"]).split("; ");
          const own = isObservedStatus(row, +status) ? `${meaning} ${MARK}` : meaning;
          expect({ call: row.call, texts: texts.join("; ") }).toMatchObject({
            texts: expect.stringContaining(own) as unknown,
          });
          if (isObservedStatus(row, +status)) continue;
          expect(response).not.toHaveProperty([OBSERVED]);
        }
  },
);

test.for(services)(
  "OpenAPI marks each success of $name that the contract does not show",
  (service) => {
    const { paths } = readDocument(`openapi/${service.name}.json`) as {
      paths: Record<string, Record<string, { responses: Record<string, Json> }>>;
    };
    const successes = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status]) => status.startsWith("2"))
      .map(([, { description, [OBSERVED]: mark }]) => [String(description).includes(MARK), mark]);
    const isObserved = service.name === "mobile";
    expect(successes).toEqual(successes.map(() => [isObserved, isObserved ? true : undefined]));
  },
);

/** A schema or another object of a document, the field that has it, and the nearest description. */
interface Place {
  readonly node: Json;
  readonly field: string;
  readonly description: string;
  readonly isRequest: boolean;
}

test.for(documents)(
  "each value in %s is stated, or in x-observed with the mark in its text",
  (path) => {
    let values = 0;
    for (const { node, field, description } of placesIn(readDocument(path))) {
      const listed = [node["examples"], node["enum"], "const" in node ? [node["const"]] : []];
      const known = listed.filter(Array.isArray).flat() as unknown[];
      // An object is a sample.
      for (const value of known.filter((each) => typeof each !== "object")) {
        values++;
        const isStated =
          isStatedValue(field, String(value)) ||
          Object.hasOwn(eventTypesNotInContract, String(value));
        expect(
          { field, value, isStated },
          "wrap the schema in guess(…) or observed(…); the reason of an event type belongs in tools/testing/not-in-contract.ts",
        ).toMatchObject({ isStated: true });
      }
      if (OBSERVED in node) expect(description).toContain(MARK);
    }
    // The map has one value, and it is observed.
    expect(values > 0).toBe(path !== "openapi/mapper.json");
  },
);

const FORMS: Readonly<Record<string, (value: unknown) => string>> = {
  pattern: (value) => ({ "^[0-9A-Fa-f]+$": "hexadecimal" })[String(value)] ?? "base58",
  maximum: (value) => `at most ${String(value)}`,
  maxItems: (value) => `at most ${String(value)}`,
};
const NEVER_STATED = ["minLength", "maxLength", "minItems", "minimum", "exclusiveMinimum", "not"];

test.for(services)(
  "the requests of $name have the keywords and required fields of the contract",
  ({ name }) => {
    const found = placesIn(readDocument(`openapi/${name}.json`)).filter(
      ({ isRequest }) => isRequest,
    );
    const wrong = found.flatMap(({ node, field }) => [
      ...NEVER_STATED.filter((keyword) => keyword in node),
      ...(node["additionalProperties"] === false ? [`${field}: closed`] : []),
      ...requiredOf(node, field)
        .filter((each) => !isStatedRequired(each) && !REQUIRED_ELSEWHERE.includes(each))
        .map((each) => `${field}: ${each} is required`),
      ...(node["format"] === "uuid" && !isStatedForm(field, "UUID") ? [`${field}: UUID`] : []),
      ...Object.entries(FORMS)
        .filter(
          ([keyword]) => typeof node[keyword] === "string" || typeof node[keyword] === "number",
        )
        .filter(([keyword, form]) => !isStatedForm(field, form(node[keyword])))
        .map(([keyword]) => `${field}: ${keyword}`),
    ]);
    expect(wrong, "the contract lacks it: write observed(…) in the row of the client").toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  },
);

/** The contract selects a form by `type`, and requires the position on an uplink in a sentence. */
const REQUIRED_ELSEWHERE = "type decoded payload object latitude longitude altitude accuracy".split(
  " ",
);

/** The fields that a schema or a parameter requires. A path cannot lack its parameters. */
function requiredOf(node: Json, field: string): string[] {
  if (Array.isArray(node["required"])) return node["required"] as string[];
  return node["required"] === true && node["in"] === "query" ? [field] : [];
}

test("an observed rule of an input is in x-observed, and not a keyword", () => {
  const { NewHttpIntegration, NewDevice } = schemasOf("console");
  expect(NewHttpIntegration).toMatchObject({
    additionalProperties: true,
    [OBSERVED]: { additionalProperties: false },
    description: expect.stringContaining("Other fields are rejected") as unknown,
    properties: {
      method: { type: "string", [OBSERVED]: { enum: ["post", "get", "put", "patch"] } },
      name: { type: "string", [OBSERVED]: { maxLength: 50 } },
    },
  });
  expect(NewDevice).toMatchObject({
    required: ["name", "app_eui", "app_key", "dev_eui"],
    properties: {
      app_key: { pattern: "^[0-9A-Fa-f]+$", [OBSERVED]: { pattern: "^[0-9A-Fa-f]{32}$" } },
    },
  });
  const { NewSubscriber } = schemasOf("mobile");
  expect(NewSubscriber).not.toHaveProperty("required");
  expect(NewSubscriber).toMatchObject({
    [OBSERVED]: { required: ["email", "name"] },
    description: expect.stringContaining(
      "Running deployments require `email` and `name` (observed).",
    ) as unknown,
  });
});

test("the help of a command marks each option with an observed rule or value", () => {
  const written = writeCommands(types);
  const options = services.flatMap((service) => {
    const document = readDocument(`openapi/${service.name}.json`);
    const paths = document["paths"] as Record<string, Record<string, Json>>;
    return operationsOf(service, types, false).flatMap(({ path, method, rows }) => {
      const { parameters, requestBody } = paths[path]?.[method] ?? {};
      const places = placesIn({ parameters, requestBody, components: document["components"] });
      const marked = places.filter(({ node, isRequest }) => isRequest && OBSERVED in node);
      const names = new Set(marked.map(({ field }) => field));
      return rows.flatMap(({ call }) => {
        const command = written[service.name]?.commands.find((each) => callOf(each) === call);
        return (command?.fields ?? []).filter(({ name }) => names.has(name));
      });
    });
  });
  for (const option of options) {
    expect(option.description).toContain(MARK);
    // Deployments may accept other values.
    expect(option).not.toHaveProperty("choices");
  }
  const names = options.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["name", "app_key", "method", "email"]));
});

/** The call of `console labels set-config-profile` is `labels.setConfigProfile`. */
function callOf({ path }: { readonly path: string }): string {
  const words = path.split(" ").slice(1);
  return words.join(".").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function schemasOf(service: string): Readonly<Record<string, Json>> {
  const { components } = readDocument(`openapi/${service}.json`);
  return (components as { schemas: Readonly<Record<string, Json>> }).schemas;
}

/** What is no part of a schema: samples, rules that are already read, and programs. */
const SKIPPED = new Set(["example", "examples", OBSERVED, "x-codeSamples", "x-fieldmesh-calls"]);

/** Lists every object of a document. What a request refers to is part of a request. */
function placesIn(document: Json): Place[] {
  const { schemas } = document["components"] as { schemas: Readonly<Record<string, Json>> };
  const places = new Map<unknown, Place>();
  const visit = (value: unknown, at: Omit<Place, "node">): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, at));
    if (typeof value !== "object" || value === null) return;
    const node = value as Json;
    const { description: own = at.description } = node;
    const description = typeof own === "string" ? own : at.description;
    const named = "schema" in node && typeof node["name"] === "string" ? node["name"] : at.field;
    const place = { node, field: named, description, isRequest: at.isRequest };
    const known = places.get(node);
    if (known?.isRequest === true || known?.isRequest === at.isRequest) return;
    places.set(node, place);
    if (typeof node["$ref"] === "string") {
      const name = node["$ref"].split("/").at(-1) ?? "";
      visit(schemas[name], { field: name, description: "", isRequest: at.isRequest });
    }
    for (const [key, inner] of Object.entries(node)) {
      if (SKIPPED.has(key)) continue;
      const isRequest = at.isRequest || key === "parameters" || key === "requestBody";
      if (key === "properties")
        for (const [field, schema] of Object.entries(inner as Json))
          visit(schema, { field, description, isRequest });
      else if (key !== "webhooks") visit(inner, { field: named, description, isRequest });
    }
  };
  visit(document, { field: "", description: "", isRequest: false });
  return [...places.values()];
}
