import { useState } from "preact/hooks";
import { searchDelivery } from "../src/engine/controls/filter.ts";
import type { DeliveryRow } from "../src/engine/controls/wire.ts";
import { hasFailed } from "../src/engine/webhooks/has-failed.ts";
import { call } from "./api.ts";
import { type Filtering, useFilter } from "./filter.ts";
import { cutMiddle, timeHead, toneOf } from "./format.ts";
import { DeliveryBadge, DeliveryDetails, Until, urlOf } from "./delivery-details.tsx";
import { List } from "./list.tsx";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { Action, Badge, Link, Stamp } from "./parts.tsx";
import { useStore } from "./store.ts";
import type { Selection } from "./views.ts";

const FILTERING: Filtering<DeliveryRow> = {
  searchOf: (row) => {
    const { fields } = searchDelivery(row);
    return { fields: { ...fields, url: urlOf(row.endpoint_id) } };
  },
  bodyOf: ({ event_id }) => event_id,
  bodies: "events",
  one: "delivery",
};

/** The deliveries of events to webhook endpoints, and one of them with its attempts. */
export function Deliveries(selection: Selection) {
  const { selected, onSelect } = selection;
  const { deliveries, settings } = useStore();
  const { found, field, none } = useFilter(deliveries, selection, FILTERING);
  const [marked, setMarked] = useState<ReadonlySet<string | number>>(new Set());
  const toggle = (id: string | number): void => {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setMarked(next);
  };
  const open = deliveries.find(({ id }) => id === selected);
  return (
    <MasterDetail
      isOpen={selected !== undefined}
      onClose={() => onSelect(undefined)}
      list={
        <>
          <Filter
            label="Filter deliveries"
            placeholder="Filter: sim.activated dead 5xx, an id, or words of the event"
            suggestions={["failed"]}
            {...field}
          >
            <DeliverAgain found={found} marked={marked} onMarked={setMarked} />
          </Filter>
          <div class="columns delivery-line" aria-hidden="true">
            <span>Status</span>
            <span>{timeHead()}</span>
            <span>Event</span>
            <span>Last</span>
            <span>Endpoint</span>
            <span class="number">Attempts</span>
            <span class="number">Next</span>
          </div>
          <List<DeliveryRow>
            label="Deliveries, newest first"
            items={found}
            idOf={({ id }) => id}
            selected={selected}
            onSelect={onSelect}
            marks={{ marked, toggle }}
            draw={(delivery) => <DeliveryLine delivery={delivery} />}
            empty={
              deliveries.length > 0 ? (
                <p>{none}</p>
              ) : (
                <>
                  <h2>No delivery yet</h2>
                  {settings?.endpoints.length === 0 ? (
                    <p>
                      Register a webhook endpoint first. <Link to="endpoints">Endpoints</Link>
                    </p>
                  ) : (
                    <p>
                      Send an event to your webhook endpoints. <Link to="compose">Send event</Link>
                    </p>
                  )}
                </>
              )
            }
          />
        </>
      }
      details={open !== undefined && <DeliveryDetails key={open.id} delivery={open} />}
    />
  );
}

/** Selects the deliveries that failed, and delivers the selected ones again. */
function DeliverAgain({
  found,
  marked,
  onMarked,
}: {
  found: readonly DeliveryRow[];
  marked: ReadonlySet<string | number>;
  onMarked: (marked: ReadonlySet<string | number>) => void;
}) {
  const failed = found.filter(hasFailed);
  const deliver = async (): Promise<void> => {
    await call("POST /sandbox/redeliver", { body: { ids: [...marked] } });
    onMarked(new Set());
  };
  if (marked.size === 0)
    return failed.length === 0 ? null : (
      <button type="button" onClick={() => onMarked(new Set(failed.map(({ id }) => id)))}>
        Select {failed.length} failed
      </button>
    );
  return (
    <>
      <Action tone="main" run={deliver}>
        Deliver {marked.size} again
      </Action>
      <button type="button" onClick={() => onMarked(new Set())}>
        Select none
      </button>
    </>
  );
}

function DeliveryLine({ delivery }: { delivery: DeliveryRow }) {
  const { type, attempts, nextAttemptAt, endpoint_id } = delivery;
  const last = attempts.at(-1);
  const url = urlOf(endpoint_id);
  return (
    <div class="delivery-line">
      <span>
        <DeliveryBadge delivery={delivery} />
      </span>
      <span class="muted">
        <Stamp time={last?.at ?? nextAttemptAt ?? 0} />
      </span>
      <span class="main">{type}</span>
      <span>
        {last !== undefined && (
          <Badge tone={toneOf(last.status)}>{last.status ?? "no response"}</Badge>
        )}
      </span>
      <span class="muted main" title={url}>
        {cutMiddle(url, LONGEST_URL)}
      </span>
      <span class="number">{attempts.length}</span>
      <span class="number muted">
        {nextAttemptAt === undefined ? "" : <Until time={nextAttemptAt} />}
      </span>
    </div>
  );
}

/** Characters of an endpoint in the list. */
const LONGEST_URL = 34;
