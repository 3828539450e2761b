import { useEffect, useState } from "preact/hooks";
import type { BodyView, RequestView, SentRequest } from "../src/engine/controls/wire.ts";
import { call, fetchHidden } from "./api.ts";
import { asCurl, asSentCurl } from "./copy.ts";
import { nameOf, playedText } from "./fault-text.ts";
import { duration, toneOf, zonedStamp } from "./format.ts";
import { isHidden } from "./json.ts";
import { Headers } from "./headers.tsx";
import { Hidden, JsonView } from "./json-view.tsx";
import { Rewind } from "./rewind.tsx";
import { Action, Badge, Copy, Facts, Section } from "./parts.tsx";

/** Milliseconds before a selected request is fetched: a held key passes over many. */
const PAUSE = 80;

/** Shows one request with its response. `version` changes when it has its response. */
export function RequestDetails({
  number,
  version,
  onOpen,
}: {
  number: number;
  version: string;
  onOpen: (number: number | undefined) => void;
}) {
  const [view, setView] = useState<RequestView>();
  const [error, setError] = useState("");
  useEffect(() => {
    const left = new AbortController();
    const load = async (): Promise<void> => {
      try {
        setView(
          await call<RequestView>(`GET /sandbox/requests/${number}`, { signal: left.signal }),
        );
        setError("");
      } catch (thrown) {
        if (!left.signal.aborted) setError((thrown as Error).message);
      }
    };
    const timer = setTimeout(() => void load(), PAUSE);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [number, version]);
  if (error !== "")
    return (
      <p class="note" role="alert">
        {error}
      </p>
    );
  if (view === undefined) return <p class="note">Loading …</p>;
  return <Details key={view.number} view={view} onOpen={onOpen} />;
}

function Details({
  view,
  onOpen,
}: {
  view: RequestView;
  onOpen: (number: number | undefined) => void;
}) {
  const { number, method, path, status, fault, row, error, response, program } = view;
  const played = view.played ?? (fault === undefined ? undefined : { kind: fault });
  const reveal = (of: "request" | "response", part: string, name: string): Promise<unknown> =>
    fetchHidden(`/sandbox/requests/${number}`, { of, part, name });
  const sentCurl = async (): Promise<string> =>
    asSentCurl(await call<SentRequest>(`POST /sandbox/requests/${number}/sent`), location.origin);
  const resend = async (): Promise<void> => {
    const sent = await call<{ number?: number }>(`POST /sandbox/requests/${number}/resend`);
    if (sent.number !== undefined) onOpen(sent.number);
  };
  return (
    <>
      <h2 class="title">
        <span class="method">{method}</span> <span class="path">{path}</span>
      </h2>
      <p class="badges">
        <Badge tone={toneOf(status)}>{status ?? "no response"}</Badge>
        {played !== undefined && (
          <Badge tone="warn">
            fault {nameOf(played)}: {playedText(played)}
          </Badge>
        )}
        {error !== undefined && <Badge tone="bad">{error}</Badge>}
        {view.note !== undefined && <Badge tone="warn">{view.note}</Badge>}
        <span class="muted">{duration(view.duration)}</span>
      </p>
      <div class="actions">
        <Action run={resend} tone="main">
          Send again
        </Action>
        {/* The request is not in the log any more. */}
        <Rewind number={number} onDone={() => onOpen(undefined)} />
        <Copy text={() => asCurl(view)}>Copy as curl</Copy>
        <Copy text={sentCurl}>Copy as curl with values</Copy>
        {program !== undefined && <Copy text={() => program}>Copy as TypeScript</Copy>}
      </div>
      <Facts
        facts={[
          ["Call", row === undefined ? "no route" : `${view.service}.${row}`],
          ["Route", view.route ?? "none"],
          ["Time", zonedStamp(view.time)],
          ["Key", KEYS[view.key ?? "none"]],
          ["Client", view.headers["user-agent"] ?? "unknown"],
          ["Work", view.done ? "done" : "not done"],
        ]}
      />
      <Section title="Response">
        {response === undefined ? (
          <p class="note">
            {status !== undefined
              ? "It was not kept."
              : view.duration === undefined
                ? "The request is in progress."
                : "The connection was broken before the client received a response."}
          </p>
        ) : (
          <>
            <Headers
              headers={response.headers}
              reveal={(name) => reveal("response", "header", name)}
            />
            <Body body={response.body} reveal={(pointer) => reveal("response", "body", pointer)} />
          </>
        )}
      </Section>
      <Section title="Request">
        <Headers headers={view.headers} reveal={(name) => reveal("request", "header", name)} />
        {Object.keys(view.query).length > 0 && (
          <Facts
            facts={Object.entries(view.query).map(([name, value]) => [
              `?${name}`,
              isHidden(value) ? (
                <Hidden name={name} reveal={() => reveal("request", "query", name)} />
              ) : (
                <code>{String(value)}</code>
              ),
            ])}
          />
        )}
        <Body body={view.body} reveal={(pointer) => reveal("request", "body", pointer)} />
      </Section>
    </>
  );
}

/** Whose key a request carries. */
const KEYS: Readonly<Record<NonNullable<RequestView["key"]> | "none", string>> = {
  printed: "the printed key of this service",
  console: "a key of the console",
  mobile: "a key of the mobile service",
  unknown: "no key of this sandbox",
  none: "none",
};

/** Shows a body: JSON, a string, or why it is not there. */
function Body({ body, reveal }: { body: BodyView; reveal: (pointer: string) => Promise<unknown> }) {
  switch (body.kind) {
    case "none":
      return <p class="note">No body.</p>;
    case "json":
      return <JsonView value={body.value} reveal={reveal} />;
    case "text":
      return (
        <>
          {body.whole !== undefined && (
            <p class="note">
              Only the start of the body of {body.whole.toLocaleString("en")} characters was kept,
              because the key was rejected.
            </p>
          )}
          {isHidden(body.text) ? (
            <p class="json">
              <Hidden name="the body" reveal={() => reveal("")} />
            </p>
          ) : (
            <pre class="json" tabIndex={0}>
              {body.text}
            </pre>
          )}
        </>
      );
    case "left_out":
      return (
        <p class="note">
          {body.length === undefined
            ? "A fault has replaced the body."
            : `The body of ${body.length.toLocaleString("en")} characters was not kept.`}
        </p>
      );
  }
}
