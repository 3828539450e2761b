import { useMemo, useState } from "preact/hooks";
import type { DeliveryRow } from "../src/engine/controls/wire.ts";
import { cutMiddle, stamp, toneOf } from "./format.ts";
import { DeliveryDetails, TONES, Until, urlOf } from "./delivery-details.tsx";
import { List } from "./list.tsx";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { Badge } from "./parts.tsx";
import { filter, useStore } from "./store.ts";
import { go, type Selection } from "./views.ts";

/** The deliveries of events to webhook endpoints, and one of them with its attempts. */
export function Deliveries({ selected, onSelect }: Selection) {
  const { deliveries, settings } = useStore();
  const [words, setWords] = useState("");
  const [status, setStatus] = useState("");
  const wanted = words.toLowerCase();
  const found = useMemo(
    () => filter(deliveries, wanted).filter((each) => status === "" || each.status === status),
    [deliveries, wanted, status],
  );
  const open = deliveries.find(({ id }) => id === selected);
  return (
    <MasterDetail
      isOpen={open !== undefined}
      onClose={() => onSelect(undefined)}
      list={
        <>
          <div class="toolbar">
            <Filter
              label="Filter deliveries"
              placeholder="Filter: sim.activated dead …"
              words={words}
              onWords={setWords}
              found={found.length}
              total={deliveries.length}
            />
            <label>
              <span class="hidden">Status</span>
              <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
                <option value="">all</option>
                <option value="pending">pending</option>
                <option value="delivered">delivered</option>
                <option value="dead">dead: no further attempt</option>
              </select>
            </label>
          </div>
          <div class="columns delivery-line" aria-hidden="true">
            <span>Status</span>
            <span>Time</span>
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
            onSelect={(id) => onSelect(id === undefined ? undefined : String(id))}
            draw={(delivery) => <DeliveryLine delivery={delivery} />}
            empty={
              deliveries.length > 0 ? (
                <p>No delivery fits the filter.</p>
              ) : (
                <>
                  <h2>No delivery yet</h2>
                  {settings?.endpoints.length === 0 ? (
                    <p>
                      Register a webhook endpoint first. <GoTo view="endpoints">Endpoints</GoTo>
                    </p>
                  ) : (
                    <p>
                      Send an event to your webhook endpoints.{" "}
                      <GoTo view="compose">Send event</GoTo>
                    </p>
                  )}
                </>
              )
            }
          />
        </>
      }
      details={
        open !== undefined && (
          <DeliveryDetails
            key={open.id}
            delivery={open}
            onEvent={(event) => {
              setStatus("");
              setWords(event);
            }}
          />
        )
      }
    />
  );
}

function GoTo({ view, children }: { view: "endpoints" | "compose"; children: string }) {
  return (
    <button type="button" class="main" onClick={() => go(view)}>
      {children}
    </button>
  );
}

function DeliveryLine({ delivery }: { delivery: DeliveryRow }) {
  const { type, status, attempts, nextAttemptAt, endpoint_id } = delivery;
  const last = attempts.at(-1);
  const url = urlOf(endpoint_id);
  return (
    <div class="delivery-line">
      <span>
        <Badge tone={TONES[status]}>{status}</Badge>
      </span>
      <span class="muted">{stamp(last?.at ?? nextAttemptAt ?? 0)}</span>
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
