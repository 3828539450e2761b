// Why it is so: docs/decisions/19-documents-for-machines.md
import { stringifyJson } from "@fieldmesh/core";
import { services } from "@fieldmesh/sandbox/internal/services";
import type { Files } from "../../tools/files.ts";
import { writeAsyncApi } from "./asyncapi.ts";
import { writeEvents } from "./events.ts";
import { writeOpenApi } from "./openapi.ts";
import { standAlone } from "./record-files.ts";
import { readSourceTypes } from "./source-types.ts";

/** Makes every machine-readable document from the tables, by its path on the site and in a release. */
export function generate(): Files {
  const missing = services.flatMap(({ name, tables }) =>
    Object.entries(tables).flatMap(([resource, table]) =>
      Object.entries(table)
        .filter(([, row]) => row.sample === undefined)
        .map(([method]) => `packages/${name}-client/src/samples: ${resource}.${method}`),
    ),
  );
  if (missing.length > 0)
    throw new Error(`Write the samples of these endpoints: ${missing.join(", ")}`);
  const types = readSourceTypes();
  const events = writeEvents(types);
  const files = new Map([["asyncapi/webhooks.json", format(writeAsyncApi(events))]]);
  for (const service of services) {
    const own = service.hasWebhooks ? events : undefined;
    const { document, records } = writeOpenApi(service, types, own);
    files.set(`openapi/${service.name}.json`, format(document));
    for (const [name, schema] of records)
      files.set(
        `schemas/${service.name}/${name}.json`,
        format(standAlone(schema, Object.fromEntries(records))),
      );
  }
  for (const { type, name } of events.events)
    files.set(
      `schemas/events/${type}.json`,
      format(standAlone(events.schemas[name] ?? {}, events.schemas)),
    );
  return files;
}

function format(document: unknown): string {
  return `${stringifyJson(document, { space: 2 })}\n`;
}
