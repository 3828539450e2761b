import { oneOf, parseJson, stringifyJson, options } from "@fieldmesh/core/internal";
import * as tables from "@fieldmesh/mapper-client/endpoints";
import { aNumber } from "../checks.ts";
import { jsonResponse, textResponse } from "../serve/responses.ts";
import { limitRate } from "../serve/rate-limit.ts";
import {
  type CompleteImplementation,
  type ServedService,
  type ServiceSetting,
  serveTables,
} from "../serve/serve.ts";
import { saveWindows } from "../saved/saved.ts";
import type { SavedMapper } from "../saved/snapshot-schema.ts";
import { aDeployment, type Deployment, type Presets, switchesOf } from "../serve/deployment.ts";
import { judges } from "./rules.ts";

/** The differences between deployments of the mapping ingest. */
export interface MapperOptions {
  /**
   * The server that the map plays: that of the published spec, or a hosted deployment (observed). `"hosted"` sets `responses` to
   * `"json"` and `inputs` to `"observed"`.
   *
   * @default "spec"
   */
  deployment?: Deployment | undefined;
  /** The form of its responses: the strings of the published spec, or the JSON of a running deployment (observed). @default "text" */
  responses?: "text" | "json" | undefined;
  /**
   * The uplinks that it accepts. `"spec"` accepts the four fields in `decoded.payload` or in `object`, whatever else is there.
   * `"observed"` reads `object` if it is present, rejects coordinates of exactly 0, and responds with 500 if the message lacks
   * the hotspots or the fields of a network server.
   *
   * @default "spec"
   */
  inputs?: "spec" | "observed" | undefined;
  /** The uplinks per minute that an address may send. @default 60 */
  requestsPerMinute?: number | undefined;
}

export const checkMapper = /* @__PURE__ */ options<MapperOptions>("mapper", {
  deployment: aDeployment,
  responses: /* @__PURE__ */ oneOf("text", "json"),
  inputs: /* @__PURE__ */ oneOf("spec", "observed"),
  requestsPerMinute: /* @__PURE__ */ aNumber(0),
});

type MapperSwitches = Required<{
  [Name in Exclude<keyof MapperOptions, "deployment">]: NonNullable<MapperOptions[Name]>;
}>;

/** The uplinks per minute that the map accepts from one address (observed). */
const USUAL_RATE = 60;

/** The map of the published spec, and that of a hosted deployment (observed). */
export const mapperPresets: Presets<MapperSwitches> = {
  spec: { responses: "text", inputs: "spec", requestsPerMinute: USUAL_RATE },
  hosted: { responses: "json", inputs: "observed", requestsPerMinute: USUAL_RATE },
};

/** An uplink on the map. */
export interface MappedUplink {
  /** The time of arrival, in milliseconds of the sandbox's clock. */
  readonly at: number;
  readonly dev_eui: string | undefined;
  /** The four fields, without the other fields of the decoder. */
  readonly position: Readonly<Record<string, number>>;
  readonly uplink: Readonly<Record<string, unknown>>;
}

/** The data of the map. */
export interface MapperState {
  /** Every accepted uplink, in the order of arrival. */
  readonly uplinks: MappedUplink[];
}

export type ServedMapper = ServedService<MapperState, SavedMapper>;

export function serveMapper(
  given: MapperOptions,
  { clock, around, windows, saved }: ServiceSetting<SavedMapper>,
): ServedMapper {
  const { responses, inputs, requestsPerMinute } = switchesOf(mapperPresets, given);
  const judge = judges[inputs];
  const state: MapperState = {
    uplinks: (saved?.uplinks ?? []).map((uplink) => parseJson(uplink) as MappedUplink),
  };
  const ingest = (uplink: Readonly<Record<string, unknown>>): Response => {
    const verdict = judge(uplink);
    switch (verdict.kind) {
      case "broken":
        return textResponse("Internal Server Error", { status: 500 });
      case "rejected":
        return responses === "text"
          ? textResponse("Invalid Fields", { status: 400 })
          : jsonResponse({ error: verdict.reasons }, { status: 400 });
      case "taken": {
        const { position } = verdict;
        state.uplinks.push({ at: clock.now(), dev_eui: euiOf(uplink), position, uplink });
        const hotspots = uplink["hotspots"] ?? uplink["rxInfo"];
        return responses === "text"
          ? textResponse("Success")
          : jsonResponse({ uplink: position, hotspots, status: "success" });
      }
    }
  };
  const served = serveTables(
    tables,
    // Checked by its own rules and not by the client's schema, because they test the client.
    {
      mapper: { ingest: { unchecked: ingest } },
    } satisfies CompleteImplementation<typeof tables>,
    { prefix: "/mapper", layers: [...around, limitRate(requestsPerMinute, clock, windows)] },
  );
  const save = () => ({
    uplinks: state.uplinks.map((uplink) => stringifyJson(uplink)),
    windows: saveWindows(windows),
  });
  return { ...served, state, save, windows, perMinute: { requests: requestsPerMinute } };
}

function euiOf({ dev_eui, deviceInfo }: Readonly<Record<string, unknown>>): string | undefined {
  const eui = dev_eui ?? (deviceInfo as { devEui?: unknown } | undefined)?.devEui;
  return typeof eui === "string" ? eui.toUpperCase() : undefined;
}
