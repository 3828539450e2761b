import type {
  AttemptView,
  DeliveryRow,
  DeliveryView,
  SentRequest,
} from "../src/engine/controls/wire.ts";
import { stateOf } from "../src/engine/webhooks/has-failed.ts";
import { call, fetchHidden, useCall } from "./api.ts";
import { asSentCurl } from "./copy.ts";
import { ageNote, duration, span, toneOf, type Tone, until, zonedStamp } from "./format.ts";
import { Headers } from "./headers.tsx";
import { Hidden, JsonView } from "./json-view.tsx";
import { Action, Badge, Copy, Facts, Link, Section } from "./parts.tsx";
import { recordFacts } from "./records.tsx";
import { useSandboxTime } from "./clock-bar.tsx";
import { state } from "./store.ts";

type Attempt = DeliveryRow["attempts"][number];

/** One delivery with its attempts. */
export function DeliveryDetails({ delivery }: { delivery: DeliveryRow }) {
  const { id, type, status, attempts, event_id, endpoint_id, nextAttemptAt } = delivery;
  const route = `GET /sandbox/deliveries/${id}`;
  const view = useCall<DeliveryView | undefined>(route, undefined, [attempts.length]);
  // A key, so that it does not become another paragraph, which would move.
  if (view === undefined)
    return (
      <p key="loading" class="note">
        Loading …
      </p>
    );
  const reveal = (name: string): Promise<unknown> =>
    fetchHidden(`/sandbox/deliveries/${id}`, { name });
  const replay = (): Promise<unknown> => call(`POST /webhooks/deliveries/${id}/replay`);
  return (
    <>
      <h2 class="title">{type}</h2>
      <p class="badges">
        <DeliveryBadge delivery={delivery} />
        <span class="muted">
          {status === "dead" && "no further attempt"}
          {nextAttemptAt !== undefined && (
            <>
              next attempt <Until time={nextAttemptAt} />
            </>
          )}
        </span>
      </p>
      <div class="actions">
        <Action run={replay} tone="main">
          Deliver again
        </Action>
        <Link to="deliveries" words={event_id}>
          All deliveries of this event
        </Link>
        <Link to="compose" id={type}>
          New event of this type
        </Link>
      </div>
      <Facts
        facts={[
          [
            "Event",
            <Link to="events" id={event_id}>
              {event_id}
            </Link>,
          ],
          ...recordFacts(view.records),
          ["Delivery", <code>{id}</code>],
          ["Endpoint", <code>{urlOf(endpoint_id)}</code>],
          ...(view.signature === undefined ? [] : [["Signature", view.signature] as const]),
        ]}
      />
      <Section title={`${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}`}>
        {attempts.length === 0 && <p class="note">None yet.</p>}
        <ol class="timeline">
          {attempts.map((attempt, at) => (
            <li key={at} class={attempt.outcome === "accepted" ? "good" : "bad"}>
              <AttemptLine attempt={attempt} before={attempts[at - 1]} />
              {view.attempts[at] && (
                <AttemptContent
                  view={view.attempts[at]}
                  isOpen={at === attempts.length - 1 && attempt.outcome !== "accepted"}
                  signedAt={attempt.at}
                  fetchSent={() =>
                    call<SentRequest>(`POST /sandbox/deliveries/${id}/sent`, {
                      body: { attempt: at + 1 },
                    })
                  }
                />
              )}
            </li>
          ))}
          {nextAttemptAt !== undefined && (
            <li class="planned muted">
              Attempt {attempts.length + 1} <Until time={nextAttemptAt} />,{" "}
              {zonedStamp(nextAttemptAt)}
            </li>
          )}
        </ol>
      </Section>
      <Section title="Event">
        <JsonView value={view.event} reveal={reveal} />
      </Section>
    </>
  );
}

function AttemptLine({ attempt, before }: { attempt: Attempt; before: Attempt | undefined }) {
  const { at, status, outcome } = attempt;
  return (
    <div class="attempt">
      <Badge tone={outcome === "accepted" ? "good" : toneOf(status)}>
        {status ?? "no response"}
      </Badge>
      <span>{OUTCOMES[outcome]}</span>
      <span class="muted">
        {zonedStamp(at)}
        {before !== undefined && `, ${span(at - before.at)} later`}
      </span>
      <span class="muted number">{duration(attempt.duration)}</span>
    </div>
  );
}

const OUTCOMES: Readonly<Record<Attempt["outcome"], string>> = {
  accepted: "succeeded",
  rejected: "failed",
  no_response: "failed: no response",
  response_lost: "failed: the sandbox dropped the response",
};

/** What an attempt sent and received. */
function AttemptContent({
  view: { headers, response },
  isOpen,
  signedAt,
  fetchSent,
}: {
  view: AttemptView;
  isOpen: boolean;
  signedAt: number;
  fetchSent: () => Promise<SentRequest>;
}) {
  const copy = async (): Promise<string> => {
    const curl = asSentCurl(await fetchSent(), location.origin);
    const note = ageNote(signedAt, Date.now());
    return note === undefined ? curl : `# ${note}\n${curl}`;
  };
  const note = ageNote(signedAt, Date.now());
  return (
    <>
      {response?.body && (
        <pre class="json" tabIndex={0}>
          {response.body}
        </pre>
      )}
      <details class="headers" open={isOpen}>
        <summary>Request and response</summary>
        <Headers title="Request" headers={headers} />
        <p class="row">
          Body{" "}
          <Hidden name="the body as it was sent" reveal={async () => (await fetchSent()).body} />
        </p>
        {response !== undefined && <Headers title="Response" headers={response.headers} />}
        <div class="row">
          <Copy text={copy}>Copy as curl with values</Copy>
          {note !== undefined && <span class="muted">{note}</span>}
        </div>
      </details>
    </>
  );
}

/** The state of a delivery. */
export function DeliveryBadge({ delivery }: { delivery: DeliveryRow }) {
  const shown = stateOf(delivery);
  return <Badge tone={TONES[shown]}>{shown}</Badge>;
}

/** The tone of a state. */
export const TONES: Readonly<Record<ReturnType<typeof stateOf>, Tone>> = {
  pending: "calm",
  retrying: "warn",
  delivered: "good",
  dead: "bad",
};

/** How long it is until a time of the sandbox's clock. */
export function Until({ time }: { time: number }) {
  return <>{until(time - useSandboxTime())}</>;
}

/** The address of an endpoint. */
export function urlOf(endpointId: string): string {
  return (
    state.settings?.endpoints.find(({ id }) => id === endpointId)?.url ?? `${endpointId} (removed)`
  );
}
