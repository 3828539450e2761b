import { inspect } from "node:util";
import * as z from "zod";
import { isRecord, parseJson, stringifyJson } from "@fieldmesh/core/internal";
import {
  responseSchema,
  isApiError,
  type Drift,
  ResponseValidationError,
  kindOf,
  type Endpoint,
} from "@fieldmesh/http/internal";
import { accounts } from "@fieldmesh/ledger-client/endpoints";
import { describe, expect, test } from "vitest";
import { everyHook, everythingPrinted } from "../../canaries/canaries.ts";
import { toNodeListener } from "../../../packages/sandbox/src/index.ts";
import { credentialHeader, serve } from "../../../packages/sandbox/src/services.ts";
import { startFakeServer, startServer } from "../http-server.ts";
import {
  API_KEY,
  callWith,
  callWithSample,
  requestSample,
  type RowUnderTest,
  sourcesOf,
  userInput,
  wireParts,
} from "../services.ts";
import { readRowDocs } from "./row-docs.ts";
import { sampleResponse, secretsReceived, secretsSent } from "../row-samples.ts";
import type { SampledRow } from "../../../packages/sandbox/src/engine/serve/with-samples.ts";

const CANARY = "canary-answer-93ac";
const once = { retry: false } as const;
// A map from any name to a number: a later name is not a new field, and a string is not a number.
const activityCount = accounts.activityCount.result;

/** Each row sends what it declares, reads every response as its schema says, and shows no secret. */
export function testRequests(rows: readonly RowUnderTest[]): void {
  describe.each(rows)("$call", (each) => {
    const { row, service } = each;
    const isText = kindOf(row.result) === "text";
    // The result may also be a list of strings.
    const hasRecord = !isText && isRecord(itemOf(row));

    test("sends the request line, headers and body that it declares", async () => {
      await using server = await startFakeServer(sampleResponse(row));
      await callWithSample(each, { baseUrl: server.baseUrl });
      expect(server.received).toHaveLength(1);
      const [request] = server.received;
      const { path, query, body } = wireParts(row);
      const [method, template] = row.route.split(" ") as [string, string];
      const [pathTemplate = "", fixedQuery] = template.split("?");
      const url = new URL(request!.url, server.baseUrl);
      expect(request!.method).toBe(method);
      expect(url.pathname).toBe(
        `/prefix${pathTemplate.replace(/:(\w+)/g, (_, name: string) => String(path[name]))}`,
      );
      expect(Object.fromEntries(url.searchParams)).toEqual({
        ...Object.fromEntries(new URLSearchParams(fixedQuery)),
        ...Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
      });
      expect(request!.headers["user-agent"]).toMatch(/^fieldmesh-[a-z-]+\/\d/);
      const [header, credential] = credentialHeader(service, API_KEY) ?? [];
      if (header !== undefined) expect(request!.headers[header]).toBe(credential);
      if (row.body === undefined) {
        expect(request!.body).toBe("");
        expect(request!.headers["content-type"]).toBeUndefined();
      } else {
        expect(JSON.parse(request!.body)).toEqual(body);
        expect(request!.headers["content-type"]).toBe("application/json");
      }
    });

    test("is sent in the same form by client.request, which requires no row", async () => {
      await using server = await startFakeServer(sampleResponse(row));
      await callWithSample(each, { baseUrl: server.baseUrl });
      await requestSample(each, { baseUrl: server.baseUrl });
      const [own, other] = server.received.map(({ headers, body, url, ...request }) => ({
        ...request,
        url: decodeURIComponent(url),
        headers: {
          ...headers,
          "content-length": "-",
          "idempotency-key": headers["idempotency-key"] && "-",
        },
        body: body && (JSON.parse(body) as unknown),
      }));
      expect(other).toEqual(own);
    });

    test("returns its sample from the sandbox over HTTP, compared in the wire format", async () => {
      // Without an implementation, the sandbox routes, validates and responds with the sample of the row.
      await using server = await startServer(toNodeListener(serve(service.tables)));
      const output = await callWithSample(each, { baseUrl: server.baseUrl });
      const wire = isText
        ? output
        : parseJson(stringifyJson(z.encode(responseSchema(row), output)));
      expect(wire).toEqual(row.sample.output);
    });

    test.runIf(hasRecord && row.result !== activityCount)(
      "keeps a field that a newer server adds",
      async () => {
        await using server = await startFakeServer({
          status: row.status,
          body: stringifyJson(
            mapItem(row, (record) => ({ ...(record as object), from_the_future: CANARY })),
          ),
        });
        const output = await callWithSample(each, { baseUrl: server.baseUrl });
        expect(inspect(output, { depth: 6 })).toContain("from_the_future");
      },
    );

    test.runIf(!isText && !hasRecord && declaresFields(row) && row.open !== "optional")(
      "rejects an item of a wrong type, and never shows it",
      async () => {
        await using server = await startFakeServer({
          status: row.status,
          body: stringifyJson(mapItem(row, () => [[CANARY]])),
        });
        const error = await callWithSample(each, { baseUrl: server.baseUrl }).catch(
          (thrown: unknown) => thrown,
        );
        expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "applied" });
        expect(everythingPrinted(error)).not.toContain(CANARY);
      },
    );

    // A record that is looked up has a test of its own: writes.test.ts of the console client.
    test.runIf(hasRecord && declaresFields(row) && row.open !== "lookUp")(
      "names a field of a wrong type, and never its value",
      async () => {
        const named: string[] = [];
        let rejected = 0;
        for (const field of Object.keys(itemOf(row) as object)) {
          await using server = await startFakeServer({
            status: row.status,
            body: stringifyJson(
              mapItem(row, (record) => ({ ...(record as object), [field]: [[CANARY]] })),
            ),
          });
          const drifts: Drift[] = [];
          const onDrift = (drift: Drift): void => void drifts.push(drift);
          const error = await callWithSample(each, { baseUrl: server.baseUrl, onDrift }).catch(
            (thrown: unknown) => thrown,
          );
          const isRejected = error instanceof ResponseValidationError;
          if (!isRejected && drifts.length === 0) continue;
          named.push(field);
          const problems = isRejected ? error.problems : drifts.flatMap((drift) => drift.problems);
          expect(problems.map((problem) => problem.path).join()).toContain(field);
          expect(everythingPrinted(isRejected ? error : drifts)).not.toContain(CANARY);
          if (!isRejected) continue;
          rejected++;
          expect(error.outcome).toBe("applied");
        }
        const fields = Object.keys(itemOf(row) as object);
        expect(named).toContain(fields.includes("id") ? "id" : fields[0]);
        // If the contract does not define the record, all of it is a guess, and nothing is rejected.
        if (row.open) expect(rejected).toBe(0);
      },
    );

    test("rejects with an ApiError for every declared status, with the meaning from the row", async () => {
      for (const status of [...Object.keys(row.errors).map(Number), 500]) {
        await using server = await startFakeServer({ status, body: CANARY });
        const error = await callWithSample(each, { baseUrl: server.baseUrl, ...once }).catch(
          (thrown: unknown) => thrown,
        );
        expect(isApiError(error, status)).toBe(true);
        // This 404 is not the service's own, so it does not mean that nothing matches.
        const meaning =
          row.mayBeAbsent && status === 404 ? "the address may be wrong" : row.errors[status];
        if (meaning !== undefined) expect(String(error)).toContain(meaning);
        expect(String(error)).toContain(`${each.call} (${row.route})`);
        expect(everythingPrinted(error)).not.toContain(CANARY);
      }
    });

    test("shows no secret in any error, hook or response", async () => {
      // A row without a credential is public.
      const isPublic = service.credential === undefined;
      const sent = isPublic ? [] : [API_KEY, ...secretsSent(row)];
      const secrets = isPublic ? [] : [...sent, ...secretsReceived(row)];
      const seen: unknown[] = [];
      const called = new Set<string>();
      const hooks = everyHook((hook, event) => {
        called.add(hook);
        seen.push(event);
      });
      const options = { ...once, timeout: 500, hooks };
      const echo = stringifyJson({ errors: { error: sent, name: sent }, message: sent.join() });
      for (const response of [
        sampleResponse(row),
        { status: 500, body: echo },
        { status: 422, body: echo },
        { status: 401, body: echo },
        { body: echo },
      ]) {
        await using server = await startFakeServer(response);
        const output = await callWithSample(each, { ...options, baseUrl: server.baseUrl }).catch(
          (error: unknown) => error,
        );
        // The client returns an undeclared field or a string of a response unchanged.
        const isPrinted = response.body !== echo && !service.returnsPersonalData;
        if (output instanceof Error || isPrinted) seen.push(output);
      }
      await using gone = await startFakeServer(sampleResponse(row));
      await gone[Symbol.asyncDispose]();
      seen.push(
        // With a retry, so that its hook is called too.
        await callWithSample(each, {
          ...options,
          retry: { attempts: 2, baseDelay: 0 },
          baseUrl: gone.baseUrl,
        }).catch((error: unknown) => error),
      );
      const bad = Object.fromEntries(
        Object.entries(userInput(row)).map(([key]) => [key, [...secrets]]),
      );
      seen.push(
        await callWith(each, { ...options, baseUrl: gone.baseUrl }, bad).catch(
          (error: unknown) => error,
        ),
      );
      expect([...called].sort()).toEqual(Object.keys(everyHook(() => undefined)).sort());
      const printed = seen.map(everythingPrinted).join("\n");
      for (const secret of secrets) expect(printed).not.toContain(secret);
    });

    test("has a doc comment of whole sentences and an example", () => {
      const doc = readRowDocs(sourcesOf(service)).get(each.call);
      const folder = `packages/${service.package}/src`;
      expect(doc?.text, `write it in ${folder}`).toMatch(/^[A-Z][^]*?\.(\s|$)/);
      expect(doc?.tags, `write it in ${folder}`).toContain("example");
    });
  });
}

/** A chain variable may have any value, so none is invalid. */
function declaresFields({ result }: Endpoint): boolean {
  const isOpen = (schema: z.core.$ZodType): boolean => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    return def.type === "unknown" || (def.type === "record" && isOpen(def.valueType));
  };
  return !("schema" in result && isOpen(result.schema));
}

/** Returns what a response is made of: the body itself, its first item, or its `data`. Usually a record. */
function itemOf(row: SampledRow): unknown {
  let item: unknown;
  mapItem(row, (found) => (item = found));
  return item;
}

function mapItem(row: SampledRow, change: (item: unknown) => unknown): unknown {
  const inside = (value: unknown): unknown =>
    Array.isArray(value) ? [inside(value[0]), ...value.slice(1)] : change(value);
  const { output } = row.sample;
  if (kindOf(row.result) === "plain") return inside(output);
  return { ...(output as object), data: inside((output as { data: unknown }).data) };
}
