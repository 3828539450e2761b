import { stringifyJson } from "@fieldmesh/core";
import { writeAsyncApi } from "./asyncapi.ts";
import { writeCommands } from "./commands.ts";
import { writeEvents } from "./events.ts";
import { writeOpenApi } from "./openapi.ts";
import { standAlone } from "./record-files.ts";
import { services } from "@fieldmesh/sandbox/services";
import { readSourceTypes } from "./source-types.ts";

/** What the tables become. */
export interface Generated {
  /** Every machine-readable document: its content by its path below docs/public. */
  readonly files: ReadonlyMap<string, string>;
  /** The commands of all rows, as JSON. */
  readonly commands: string;
}

/** Makes every machine-readable document, and the commands of the command line, from the tables. */
export function generate(): Generated {
  const types = readSourceTypes();
  const files = new Map<string, string>();
  const add = (path: string, value: unknown): void => {
    files.set(path, `${stringifyJson(value, { space: 2 })}\n`);
  };

  const events = writeEvents(types);
  for (const service of services) {
    const { document, records } = writeOpenApi(service, types, events);
    add(`openapi/${service.name}.json`, document);
    for (const [name, schema] of records)
      add(`schemas/${service.name}/${name}.json`, standAlone(schema, Object.fromEntries(records)));
  }
  add("asyncapi/webhooks.json", writeAsyncApi(events));
  for (const { type, name } of events.events)
    add(`schemas/events/${type}.json`, standAlone(events.schemas[name] ?? {}, events.schemas));
  return { files, commands: `${stringifyJson(writeCommands(types), { space: 1 })}\n` };
}
