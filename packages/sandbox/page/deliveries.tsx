import { useEffect, useMemo, useState } from "preact/hooks";
import type { DeliveryRow, DeliveryView } from "../src/engine/controls/wire.ts";
import { call, fetchHidden } from "./api.ts";
import { timeAt, useNow } from "./clock-bar.tsx";
import { duration, stamp, timeOfDay, type Tone, toneOf, until } from "./format.ts";
import { JsonView } from "./json-view.tsx";
import { List } from "./list.tsx";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { Action, Badge, Facts, Section } from "./parts.tsx";
import { filter, state, useStore } from "./store.ts";
import { go } from "./views.ts";

const TONES: Readonly<Record<DeliveryRow["status"], Tone>> = {
  pending: "warn",
  delivered: "good",
  dead: "bad",
};

/** The deliveries of events to webhook endpoints, and one of them with its attempts. */
export function Deliveries({
  selected,
  onSelect,
}: {
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
}) {
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
                <option value="pending">waiting</option>
                <option value="delivered">delivered</option>
                <option value="dead">dead letters</option>
              </select>
            </label>
          </div>
          <div class="columns delivery-line" aria-hidden="true">
            <span>Status</span>
            <span>Event</span>
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
      details={open !== undefined && <DeliveryDetails key={open.id} delivery={open} />}
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
  return (
    <div class="delivery-line">
      <span>
        <Badge tone={TONES[status]}>{status}</Badge>
      </span>
      <span class="main">{type}</span>
      <span class="muted main">{urlOf(endpoint_id)}</span>
      <span class="number">{attempts.length}</span>
      <span class="number muted">
        {nextAttemptAt === undefined ? "" : <Until time={nextAttemptAt} />}
      </span>
    </div>
  );
}

/** How long it is until a time of the sandbox's clock. */
function Until({ time }: { time: number }) {
  const now = useNow();
  const { clock } = state;
  if (clock === undefined) return null;
  return <>{until(time - timeAt(clock, now))}</>;
}

function urlOf(endpointId: string): string {
  return (
    state.settings?.endpoints.find(({ id }) => id === endpointId)?.url ?? `${endpointId} (removed)`
  );
}

function DeliveryDetails({ delivery }: { delivery: DeliveryRow }) {
  const { id, type, status, attempts, event_id, endpoint_id, nextAttemptAt } = delivery;
  const [view, setView] = useState<DeliveryView>();
  useEffect(() => {
    const left = new AbortController();
    call<DeliveryView>(`GET /sandbox/deliveries/${id}`, { signal: left.signal }).then(
      setView,
      () => {},
    );
    return () => left.abort();
  }, [id, attempts.length]);
  const reveal = (name: string): Promise<unknown> =>
    fetchHidden(`/sandbox/deliveries/${id}`, { name });
  const replay = (): Promise<unknown> => call(`POST /webhooks/deliveries/${id}/replay`);
  return (
    <>
      <h2 class="title">{type}</h2>
      <p class="badges">
        <Badge tone={TONES[status]}>{status}</Badge>
        {nextAttemptAt !== undefined && (
          <span class="muted">
            next attempt <Until time={nextAttemptAt} />
          </span>
        )}
      </p>
      <div class="actions">
        <Action run={replay} tone="main">
          Deliver again
        </Action>
        <button type="button" onClick={() => go("compose", type)}>
          New event of this type
        </button>
      </div>
      <Facts
        facts={[
          ["Event", <code>{event_id}</code>],
          ["Delivery", <code>{id}</code>],
          ["Endpoint", <code>{urlOf(endpoint_id)}</code>],
        ]}
      />
      <Section title={`${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}`}>
        {attempts.length === 0 && <p class="note">None yet.</p>}
        <ol class="attempts">
          {attempts.map((attempt, at) => (
            <li key={at}>
              <div class="attempt">
                <Badge tone={attempt.outcome === "accepted" ? "good" : toneOf(attempt.status)}>
                  {attempt.status ?? OUTCOMES[attempt.outcome]}
                </Badge>
                <span>{OUTCOMES[attempt.outcome]}</span>
                <span class="muted" title={stamp(attempt.at)}>
                  {timeOfDay(attempt.at)}
                </span>
                <span class="muted number">{duration(attempt.duration)}</span>
              </div>
              {view?.responses[at] && (
                <pre class="json" tabIndex={0}>
                  {view.responses[at]}
                </pre>
              )}
            </li>
          ))}
        </ol>
      </Section>
      <Section title="Event">
        {view === undefined ? (
          <p class="note">Loading …</p>
        ) : (
          <JsonView value={view.event} reveal={reveal} />
        )}
      </Section>
    </>
  );
}

const OUTCOMES: Readonly<Record<DeliveryRow["attempts"][number]["outcome"], string>> = {
  accepted: "accepted",
  refused: "rejected",
  no_answer: "no response",
  answer_lost: "response lost",
};
