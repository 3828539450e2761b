import { useState } from "preact/hooks";
import type { EndpointRow } from "../src/engine/controls/wire.ts";
import { call, fetchHidden } from "./api.ts";
import { Hidden } from "./json-view.tsx";
import { Action, LiveSwitch, Section } from "./parts.tsx";
import { useStore } from "./store.ts";

/** The webhook endpoints, and a form for a new one. */
export function Endpoints() {
  const { settings } = useStore();
  const endpoints = settings?.endpoints ?? [];
  return (
    <div class="panel">
      <Section title="Webhook endpoints">
        {endpoints.length === 0 ? (
          <p class="note">None yet. Register the address of your receiver on this machine.</p>
        ) : (
          <ul class="cards">
            {endpoints.map((endpoint) => (
              <Endpoint key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        )}
      </Section>
      <NewEndpoint />
    </div>
  );
}

function Endpoint({ endpoint }: { endpoint: EndpointRow }) {
  const { id, url, enabled_events, livemode, secrets } = endpoint;
  const reveal = async (): Promise<unknown> =>
    (await fetchHidden<string[]>(`/sandbox/endpoints/${id}`)).join("  ");
  return (
    <li>
      <p>
        <code class="strong">{url}</code>
      </p>
      <p class="muted">
        <code>{enabled_events.join(", ")}</code> · {livemode ? "live" : "sandbox"} environment ·{" "}
        <code>{id}</code>
      </p>
      <p>
        {secrets === 1 ? "Secret" : `${secrets} secrets`}{" "}
        <code>
          <Hidden key={secrets} name={`the secrets of ${url}`} reveal={reveal} />
        </code>
      </p>
      <div class="row">
        <Action
          run={() => call(`POST /sandbox/endpoints/${id}/rotate`, { body: { keepOld: true } })}
          label={`Add a secret to ${url}`}
        >
          Add a secret
        </Action>
        {secrets > 1 && (
          <Action
            run={() => call(`POST /sandbox/endpoints/${id}/rotate`, { body: { keepOld: false } })}
            label={`Replace the secrets of ${url}`}
          >
            Replace all
          </Action>
        )}
        <Action
          tone="danger"
          run={() => call(`DELETE /webhooks/endpoints/${id}`)}
          label={`Remove ${url}`}
        >
          Remove
        </Action>
      </div>
    </li>
  );
}

function NewEndpoint() {
  const [url, setUrl] = useState("http://127.0.0.1:3000/webhooks");
  const [events, setEvents] = useState("*");
  const [secret, setSecret] = useState("");
  const [isLive, setLive] = useState(false);
  const register = async (): Promise<void> => {
    const enabled_events = events.split(/[\s,]+/).filter((each) => each !== "");
    await call("POST /webhooks/endpoints", {
      body: { url, enabled_events, livemode: isLive, ...(secret !== "" && { secret }) },
    });
    setSecret("");
  };
  return (
    <Section title="Register">
      <div class="fields">
        <label class="field">
          <span>Address</span>
          <input type="url" value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
          <small>A receiver on this machine.</small>
        </label>
        <label class="field">
          <span>Events</span>
          <input value={events} onInput={(event) => setEvents(event.currentTarget.value)} />
          <small>
            Types, families such as sim.*, or *. Name sim.activated to receive its activation code.
          </small>
        </label>
        <label class="field">
          <span>Secret</span>
          <input
            type="password"
            autocomplete="off"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
          <small>Empty for a new one.</small>
        </label>
      </div>
      <div class="row">
        <LiveSwitch isLive={isLive} onChange={setLive} />
        <Action tone="main" run={register}>
          Register
        </Action>
      </div>
    </Section>
  );
}
