import { mistake } from "@fieldmesh/core/internal";
import { receives } from "../webhooks/event-copies.ts";
import { searchBodies, resend } from "./logged-requests.ts";
import * as z from "@fieldmesh/core/internal/zod";
import { PLACES } from "../faults/check-faults.ts";
import type { FaultScript } from "../faults/fault-script.ts";
import { isWhole } from "../log/kept-calls.ts";
import type { LoggedRequest, RequestDetails } from "../log/logged-request.ts";
import type { WritableLog } from "../log/request-log.ts";
import type { Handler } from "../serve/serve.ts";
import { type ActivityHistory, createHistory, createStream } from "./activity-stream.ts";
import {
  viewClock,
  toEndpointRow,
  toEventRow,
  toRequestRow,
  readFaults,
  viewFaults,
  viewPositions,
} from "./views.ts";
import { formOf, listEventTypes } from "./event-types.ts";
import { eventOf, sentAttempt, viewDelivery } from "./delivery-view.ts";
import { viewRequest, revealInEvent, revealValue } from "./request-details.ts";
import { currentOptions } from "../services/presets.ts";
import type { ServiceOptions } from "../services/served.ts";
import type { WebhookService } from "../webhooks/create-webhooks.ts";
import type { DeliveryView, FeedMessage, KeysView, SentRequest, Settings } from "./wire.ts";
import { type Actions, checkBody, serveActions } from "../serve/serve-actions.ts";
import { act } from "./record-actions.ts";
import { foundRecord, recordsOf } from "./find-record.ts";
import { viewEvent, viewRecord } from "./records.ts";
import { viewRates } from "./rates.ts";
import { countState, listState } from "./state-views.ts";
import { type Timed, timeActions } from "./time-actions.ts";

/** What the controls read and change. Its members are those since the last reset. */
export interface Controlled extends Timed {
  readonly log: WritableLog;
  readonly logSize: number;
  readonly options: ServiceOptions;
  /** Returns the body that an endpoint with these patterns received. */
  readonly sentBody: WebhookService["sentBody"];
  readonly handler: Handler;
  readonly faults: FaultScript | undefined;
  readonly setFaults: (script: FaultScript | undefined) => void;
  readonly reset: () => void;
}

const PREFIX = "/sandbox";
/** Of events and deliveries, a new viewer receives the last ones. */
const MOST_DELIVERIES = 2_000;
/** Requests in one message of the feed. */
const CHUNK = 2_000;

/** Serves the controls below `/sandbox`. A GET shows no secret: only the server in front of it knows who may do more. */
export function serveControls(controlled: Controlled): Handler {
  return serveActions(PREFIX, actionsOf(controlled));
}

const faultsBody = z.strictObject({ faults: z.unknown() });
const eventBody = z.strictObject({
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  livemode: z.optional(z.boolean()),
  unknown: z.optional(z.boolean()),
});
const attemptBody = z.strictObject({ attempt: z.int().check(z.minimum(1)) });
const actBody = z.strictObject({ name: z.string(), type: z.optional(z.string()) });
const redeliverBody = z.strictObject({ ids: z.optional(z.array(z.string())) });
const rotateBody = z.strictObject({ keepOld: z.optional(z.boolean()) });

function actionsOf(controlled: Controlled): Actions {
  const { log } = controlled;
  const toRow = (request: LoggedRequest) => toRequestRow(request, controlled.served);
  const run = crypto.randomUUID();
  let history: ActivityHistory | undefined;
  const stream = createStream(() => ({
    // Nothing is written before the first viewer.
    history: (history ??= createHistory(controlled.feed)),
    run,
    whole: () => wholeOf(controlled),
    settings: () => settingsOf(controlled),
    toRow,
    clock: () => viewClock(controlled.clock),
  }));
  const find = (number: string): RequestDetails => {
    const found = log.find(Number(number));
    if (found === undefined) throw mistake(`The log has no request ${Number(number)}.`);
    return found;
  };
  const source = () => ({ served: controlled.served, events: controlled.webhooks.events() });
  return {
    ...timeActions(controlled),
    "GET /feed": ({ request }) => stream(request),
    "GET /requests": () => log.requests().map(toRow),
    "GET /search": ({ query }) => searchBodies(controlled, query.get("words") ?? ""),
    "POST /clear": () => {
      log.clear();
      controlled.feed.report({ kind: "clear" });
    },
    "GET /requests/:id": ({ id }) => viewRequest(find(id), controlled.served),
    "POST /requests/:id/resend": async ({ id }) => ({
      number: await resend(find(id).request, controlled),
    }),
    "POST /requests/:id/sent": ({ id }) => {
      const { request, call } = find(id);
      const { method, url, headers } = request;
      const body = isWhole(call.body) ? call.body.text : undefined;
      return { method, url, headers, body } satisfies SentRequest;
    },
    "POST /requests/:id/reveal": ({ id, body }) => ({ value: revealValue(find(id), body) }),
    "GET /deliveries/:id": async ({ id }) => {
      const event = eventOf(controlled.webhooks, id);
      const records = event === undefined ? [] : recordsOf(controlled, event);
      return { ...(await viewDelivery(controlled, id)), records } satisfies DeliveryView;
    },
    "POST /deliveries/:id/sent": ({ id, body }) =>
      sentAttempt(controlled, id, checkBody(attemptBody, body).attempt),
    "POST /deliveries/:id/reveal": ({ id, body }) => ({
      value: revealInEvent(eventOf(controlled.webhooks, id), body),
    }),
    "POST /events": async ({ body }) => {
      const { type, data, livemode, unknown } = checkBody(eventBody, body);
      const { webhooks } = controlled;
      const event = webhooks.emit(type, data, { livemode, unknown: unknown as true });
      await webhooks.idle();
      return toEventRow(event);
    },
    "GET /event-types": () => listEventTypes(),
    "GET /event-types/:id": ({ id }) => formOf(id),
    "GET /event-types/:id/receivers": ({ id, query }) => {
      const event = { type: id, livemode: query.get("livemode") === "true" };
      const { endpoints } = controlled.webhooks;
      return endpoints.filter((each) => receives(each, event)).map(toEndpointRow);
    },
    "GET /settings": () => settingsOf(controlled),
    "POST /keys": () => keysOf(controlled),
    "POST /faults": ({ body }) => {
      controlled.setFaults(readFaults(checkBody(faultsBody, body).faults));
      return viewFaults(controlled.faults);
    },
    "POST /endpoints/:id/rotate": ({ id, body }) => {
      const { keepOld = true } = checkBody(rotateBody, body);
      controlled.webhooks.rotate(id, { keepOld });
    },
    "POST /endpoints/:id/reveal": ({ id }) => {
      if (!controlled.showsSigningSecrets)
        throw mistake("A sandbox that other machines can reach does not show signing secrets.");
      const endpoint = controlled.webhooks.endpoints.find((each) => each.id === id);
      if (endpoint === undefined) throw mistake("There is no such webhook endpoint.");
      return { value: endpoint.secrets.map((secret) => secret.reveal()) };
    },
    "GET /state": () => countState(source()),
    "GET /state/:id": ({ id, query }) =>
      listState(source(), id, {
        offset: Math.max(0, Number(query.get("offset") ?? 0) || 0),
        search: query.get("search") ?? "",
      }),
    "GET /records/:id": ({ id }) => viewRecord(controlled, id),
    "POST /records/:id/act": async ({ id, body }) => {
      await act(controlled, foundRecord(controlled, id), checkBody(actBody, body));
      return viewRecord(controlled, id);
    },
    "GET /events/:id": ({ id }) => viewEvent(controlled, id),
    "GET /rates": () => viewRates(controlled),
    "POST /redeliver": async ({ body }) => {
      const all = await controlled.webhooks.replayMany(checkBody(redeliverBody, body).ids);
      const delivered = all.filter(
        ({ attempts }) => attempts.at(-1)?.outcome === "accepted",
      ).length;
      return { delivered, failed: all.length - delivered };
    },
    "GET /positions": () => viewPositions(controlled.served.mapper.state),
    "POST /reset": controlled.reset,
  };
}

function keysOf({ served: { console, mobile } }: Controlled): KeysView {
  return { console: console.apiKey, mobile: mobile.apiKey };
}

function settingsOf(controlled: Controlled): Settings {
  const { webhooks, faults, log, logSize, options, rewind } = controlled;
  return {
    endpoints: webhooks.endpoints.map(toEndpointRow),
    disturbance: webhooks.disturbance,
    faults: viewFaults(faults),
    calls: PLACES,
    // JSON has no Infinity.
    logSize: Math.min(logSize, Number.MAX_SAFE_INTEGER),
    firstRequest: log.firstNumber,
    options: currentOptions(options),
    keyed: Object.keys(keysOf(controlled)),
    undoableAfter: rewind.undoableAfter,
  };
}

/** Returns everything for a new viewer, in parts that it can show one after the other. */
function wholeOf(controlled: Controlled): Omit<FeedMessage, "clock">[] {
  const { log, webhooks, served } = controlled;
  const requests = log.requests();
  const chunks = Array.from({ length: Math.ceil(requests.length / CHUNK) }, (_, at) => ({
    requests: requests
      .slice(at * CHUNK, (at + 1) * CHUNK)
      .map((request) => toRequestRow(request, served)),
  }));
  return [
    {
      reset: true,
      settings: settingsOf(controlled),
      events: webhooks.events().slice(-MOST_DELIVERIES).map(toEventRow),
      deliveries: webhooks.deliveries().slice(-MOST_DELIVERIES),
    },
    ...chunks,
  ];
}
