import { useState } from "preact/hooks";
import type { RecordAction, RecordView, TimelineEntry } from "../src/engine/controls/wire.ts";
import { call, useCall } from "./api.ts";
import { urlOf } from "./delivery-details.tsx";
import { toneOf, type Tone, zonedStamp } from "./format.ts";
import { JsonView } from "./json-view.tsx";
import { Action, Link, Section } from "./parts.tsx";
import { useStore } from "./store.ts";

/** A record: what can be done with it, what happened to it, and its fields. `version` changes when there may be more. */
export function RecordDetails({ id, version }: { id: string; version: number }) {
  const route = `/sandbox/records/${encodeURIComponent(id)}`;
  const [acted, setActed] = useState(0);
  const view = useCall<RecordView | undefined>(`GET ${route}`, undefined, [version, acted]);
  // The addresses of the endpoints are in the settings.
  const { settings } = useStore();
  if (view === undefined || settings === undefined) return <p class="note">Loading …</p>;
  const act = async (name: string, type?: string): Promise<void> => {
    await call(`POST ${route}/act`, { body: { name, ...(type !== undefined && { type }) } });
    setActed(acted + 1);
  };
  return (
    <>
      <h2 class="title">{view.title}</h2>
      <div class="actions">
        {view.actions.filter(isSimple).map(({ name, label, type }) => (
          <Action key={label} tone={TONES_OF_ACTIONS[name]} run={() => act(name, type)}>
            {label}
          </Action>
        ))}
      </div>
      {!view.actions.every(isSimple) && (
        <AnyEvent family={view.kind} act={(type) => act("trigger", type)} />
      )}
      <Section title="What happened to it">
        {view.timeline.length === 0 && <p class="note">Nothing yet.</p>}
        <ol class="timeline" aria-label="What happened to it, newest first">
          {view.timeline.toReversed().map((entry, at) => (
            <Entry key={view.timeline.length - at} entry={entry} />
          ))}
        </ol>
      </Section>
      <Section title={`The ${view.kind}`}>
        <JsonView value={view.record} />
      </Section>
    </>
  );
}

const TONES_OF_ACTIONS: Readonly<Record<string, "main" | "danger">> = {
  send_uplink: "main",
  deactivate: "danger",
};

/** Tells whether an action needs no type of an event. */
function isSimple({ name, type }: RecordAction): boolean {
  return name !== "trigger" || type !== undefined;
}

/** Sends an event of any type of a family. */
function AnyEvent({ family, act }: { family: string; act: (type: string) => Promise<unknown> }) {
  const types = useCall<{ type: string; earlier: boolean }[]>("GET /sandbox/event-types", []);
  const [chosen, setChosen] = useState<string>();
  const own = types.filter((each) => each.type.startsWith(`${family}.`) && !each.earlier);
  const type = chosen ?? own[0]?.type;
  // Its height is there before its types, so that nothing moves.
  if (type === undefined) return <div class="actions one-line" />;
  return (
    <div class="actions one-line">
      <select
        aria-label="Event to trigger"
        value={type}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {own.map((each) => (
          <option key={each.type} value={each.type}>
            {each.type}
          </option>
        ))}
      </select>
      <Action run={() => act(type)}>Trigger {type}</Action>
    </div>
  );
}

/** Something that happened, with a link to it. */
function Entry({ entry }: { entry: TimelineEntry }) {
  return (
    <li class={toneOfEntry(entry)}>
      <span class="muted">{zonedStamp(entry.time)}</span> <Happened entry={entry} />
    </li>
  );
}

function Happened({ entry }: { entry: TimelineEntry }) {
  switch (entry.kind) {
    case "request": {
      const { number, method, row, path, status } = entry.request;
      return (
        <>
          <Link to="requests" id={String(number)}>
            {row ?? `${method} ${path}`}
          </Link>{" "}
          {status ?? "no response"}
        </>
      );
    }
    case "uplink":
      return <>{entry.text}</>;
    case "event":
      return (
        <>
          <Link to="events" id={entry.event.id}>
            {entry.event.type}
          </Link>{" "}
          <Link to="deliveries" words={entry.event.id}>
            deliveries
          </Link>
        </>
      );
    case "delivery": {
      const { id, type, endpoint_id, attempts } = entry.delivery;
      const attempt = entry.attempt === undefined ? undefined : attempts[entry.attempt - 1];
      return (
        <>
          {attempt === undefined
            ? `first attempt of ${type} to`
            : `${attempt.status ?? "no response"} to attempt ${entry.attempt} of ${type} from`}{" "}
          <Link to="deliveries" id={id}>
            {urlOf(endpoint_id)}
          </Link>
        </>
      );
    }
  }
}

function toneOfEntry(entry: TimelineEntry): Tone {
  if (entry.kind === "request") return toneOf(entry.request.status);
  if (entry.kind !== "delivery" || entry.attempt === undefined) return "calm";
  const attempt = entry.delivery.attempts[entry.attempt - 1];
  return attempt?.outcome === "accepted" ? "good" : toneOf(attempt?.status);
}
