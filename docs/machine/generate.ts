// Why it is so: docs/decisions/19-documents-for-machines.md
import { stringifyJson } from "@fieldmesh/core";
import { services } from "@fieldmesh/sandbox/services";
import { writeAsyncApi } from "./asyncapi.ts";
import { COMMANDS_FILE, writeCommands } from "./commands.ts";
import { writeEvents } from "./events.ts";
import { writeOpenApi } from "./openapi.ts";
import { standAlone } from "./record-files.ts";
import { readSourceTypes } from "./source-types.ts";

/** What the tables become. */
export interface Generated {
  /** Every machine-readable document, as the site and a release have it: its content by its path. */
  readonly published: ReadonlyMap<string, string>;
  /** Those that Git keeps, and the commands of all rows, by their paths from the root: the schema of an event is only in its own file. */
  readonly kept: ReadonlyMap<string, string>;
}

/** Makes every machine-readable document, and the commands of the command line, from the tables. */
export function generate(): Generated {
  const types = readSourceTypes();
  const kept = new Map<string, string>();
  const withEvents = new Map<string, string>();

  const missing = services.flatMap(({ name, tables }) =>
    Object.entries(tables).flatMap(([resource, table]) =>
      Object.entries(table)
        .filter(([, row]) => row.sample === undefined)
        .map(([method]) => `packages/${name}-client/src/samples: ${resource}.${method}`),
    ),
  );
  if (missing.length > 0)
    throw new Error(`Write the samples of these endpoints: ${missing.join(", ")}`);
  const events = writeEvents(types);
  for (const service of services) {
    const path = `openapi/${service.name}.json`;
    const { document, records } = writeOpenApi(service, types);
    kept.set(path, format(document));
    if (service.hasWebhooks)
      withEvents.set(path, format(writeOpenApi(service, types, events).document));
    for (const [name, schema] of records)
      kept.set(
        `schemas/${service.name}/${name}.json`,
        format(standAlone(schema, Object.fromEntries(records))),
      );
  }
  withEvents.set("asyncapi/webhooks.json", format(writeAsyncApi(events)));
  for (const { type, name } of events.events)
    kept.set(
      `schemas/events/${type}.json`,
      format(standAlone(events.schemas[name] ?? {}, events.schemas)),
    );
  return {
    published: new Map([...kept, ...withEvents]),
    kept: new Map([
      ...[...kept].map(([path, text]) => [`docs/public/${path}`, text] as const),
      [COMMANDS_FILE, `${stringifyJson(writeCommands(types), { space: 1 })}\n`],
    ]),
  };
}

function format(document: unknown): string {
  return `${stringifyJson(document, { space: 2 })}\n`;
}
