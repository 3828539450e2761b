import { useCallback, useMemo } from "preact/hooks";
import { searchEvent } from "../src/engine/controls/filter.ts";
import type { DeliveryRow, EventRow, EventView } from "../src/engine/controls/wire.ts";
import { stateOf } from "../src/engine/webhooks/has-failed.ts";
import { useCall } from "./api.ts";
import { DeliveryBadge, TONES, urlOf } from "./delivery-details.tsx";
import { useFilter } from "./filter.ts";
import { timeHead, zonedStamp } from "./format.ts";
import { JsonView } from "./json-view.tsx";
import { List } from "./list.tsx";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { Badge, Facts, Link, Section, Stamp } from "./parts.tsx";
import { recordFacts } from "./records.tsx";
import { useStore } from "./store.ts";
import type { Selection } from "./views.ts";

/** The events, and one of them with its deliveries. */
export function Events(selection: Selection) {
  const { selected, onSelect } = selection;
  const { events, deliveries } = useStore();
  const byEvent = useMemo(() => Map.groupBy(deliveries, (each) => each.event_id), [deliveries]);
  const searchOf = useCallback(
    (event: EventRow) => searchEvent(event, byEvent.get(event.id) ?? []),
    [byEvent],
  );
  const filtering = {
    searchOf,
    bodyOf: ({ id }: EventRow) => id,
    bodies: "events",
    one: "event",
  } as const;
  const { found, field, none } = useFilter(events, selection, filtering);
  return (
    <MasterDetail
      isOpen={selected !== undefined}
      onClose={() => onSelect(undefined)}
      list={
        <>
          <Filter
            label="Filter events"
            placeholder="Filter: sim.suspended live, an id, or words of the event"
            {...field}
          />
          <div class="columns event-line" aria-hidden="true">
            <span>{timeHead()}</span>
            <span>Event</span>
            <span>Deliveries</span>
          </div>
          <List<EventRow>
            label="Events, newest first"
            items={found}
            idOf={({ id }) => id}
            selected={selected}
            onSelect={onSelect}
            draw={({ id, type, created_at, livemode }) => (
              <div class="event-line">
                <span class="muted">
                  <Stamp time={Date.parse(created_at)} />
                </span>
                <span class="main">
                  {type} {livemode && <Badge tone="warn">live</Badge>}
                </span>
                <Statuses deliveries={byEvent.get(id) ?? []} />
              </div>
            )}
            empty={
              events.length > 0 ? (
                <p>{none}</p>
              ) : (
                <>
                  <h2>No event yet</h2>
                  <p>
                    <Link to="compose">Send event</Link>
                  </p>
                </>
              )
            }
          />
        </>
      }
      details={
        selected !== undefined && (
          <EventDetails key={selected} id={selected} deliveries={byEvent.get(selected) ?? []} />
        )
      }
    />
  );
}

/** How many deliveries have each status. */
function Statuses({ deliveries }: { deliveries: readonly DeliveryRow[] }) {
  if (deliveries.length === 0) return <span class="muted">none</span>;
  const counts = [...Map.groupBy(deliveries, stateOf)];
  return (
    <span>
      {counts.map(([status, those]) => (
        <Badge key={status} tone={TONES[status]}>
          {those.length} {status}
        </Badge>
      ))}
    </span>
  );
}

function EventDetails({ id, deliveries }: { id: string; deliveries: readonly DeliveryRow[] }) {
  const view = useCall<EventView | undefined>(`GET /sandbox/events/${id}`, undefined);
  // The addresses of the endpoints are in the settings.
  const { settings } = useStore();
  if (view === undefined || settings === undefined) return <p class="note">Loading …</p>;
  const { type, created_at } = view.event as EventRow;
  // The feed has those of this moment, and may arrive later.
  const shown = deliveries.length > 0 ? deliveries : view.deliveries;
  return (
    <>
      <h2 class="title">{type}</h2>
      <div class="actions">
        <Link to="compose" id={type}>
          New event of this type
        </Link>
      </div>
      <Facts
        facts={[
          ["Event", <code>{id}</code>],
          ["Time", zonedStamp(Date.parse(created_at))],
          ...recordFacts(view.records),
        ]}
      />
      <Section title={`${shown.length} ${shown.length === 1 ? "delivery" : "deliveries"}`}>
        {shown.length === 0 && <p class="note">No webhook endpoint receives it.</p>}
        <ul class="cards">
          {shown.map((delivery) => (
            <li key={delivery.id}>
              <div class="row">
                <DeliveryBadge delivery={delivery} />
                <Link to="deliveries" id={delivery.id}>
                  {urlOf(delivery.endpoint_id)}
                </Link>
                <span class="muted">
                  {delivery.attempts.length}{" "}
                  {delivery.attempts.length === 1 ? "attempt" : "attempts"}
                </span>
              </div>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Event">
        <JsonView value={view.event} />
      </Section>
    </>
  );
}
