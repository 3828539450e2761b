import { useEffect, useState } from "preact/hooks";
import type { EndpointRow, EventForm, EventRow } from "../src/engine/controls/wire.ts";
import { call, useCall } from "./api.ts";
import type { EventText } from "./event-texts.ts";
import { parse, stringify } from "./json.ts";
import { Action, Failure, Link, LiveSwitch, Section } from "./parts.tsx";
import { fieldsOf, type FormField, readField, writeField } from "./schema-form.ts";
import { useStore } from "./store.ts";
import type { Selection } from "./views.ts";

const FIRST_TYPE = "sim.activated";

/** Composes an event of any type from its schema, and sends it to the webhook endpoints. */
export function Composer({ selected, onSelect }: Selection) {
  const { settings } = useStore();
  const types = useCall<{ type: string; earlier: boolean }[]>("GET /sandbox/event-types", []);
  const texts = useCall<Record<string, EventText> | undefined>(
    "GET /page/event-texts.json",
    undefined,
  );
  const [form, setForm] = useState<EventForm>();
  const [json, setJson] = useState("");
  const [isLive, setLive] = useState(false);
  const [search, setSearch] = useState("");
  const [sent, setSent] = useState<EventRow>();
  const isKnown = types.length === 0 || types.some((each) => each.type === selected);
  const type = isKnown ? (selected ?? FIRST_TYPE) : FIRST_TYPE;

  useEffect(() => {
    const left = new AbortController();
    setSent(undefined);
    call<EventForm>(`GET /sandbox/event-types/${encodeURIComponent(type)}`, {
      signal: left.signal,
    }).then(
      (loaded) => {
        setForm(loaded);
        setJson(stringify(loaded.data, 2));
      },
      () => {},
    );
    return () => left.abort();
  }, [type]);

  const receivers = useCall<EndpointRow[] | undefined>(
    `GET /sandbox/event-types/${encodeURIComponent(type)}/receivers?livemode=${isLive}`,
    undefined,
    [JSON.stringify(settings?.endpoints)],
  );
  const found = findTypes(types, texts, search);
  // The chosen type stays in the list, so that the list does not show another one.
  const listed = types.filter((each) => each.type === type || found.includes(each));
  const data = parsed(json);
  const { text = "", fields: descriptions = {} } = texts?.[type] ?? {};
  // The data of another type gives way when the sample of this one has arrived.
  const isReady = data !== undefined && form?.type === type;
  const send = async (): Promise<void> =>
    setSent(
      await call<EventRow>("POST /sandbox/events", { body: { type, data, livemode: isLive } }),
    );
  const onSearch = (next: string): void => {
    setSearch(next);
    // What the search found is what the button sends.
    const [best] = findTypes(types, texts, next);
    if (next.trim() !== "" && best !== undefined) onSelect(best.type);
  };
  const set = (field: FormField, value: string): void => {
    if (data !== undefined) setJson(stringify(writeField(data, field, value), 2));
  };
  // All at once, so that nothing moves.
  if (form === undefined || receivers === undefined || types.length === 0 || texts === undefined)
    return <p class="note">Loading …</p>;
  return (
    <div class="compose">
      <div>
        <label class="field">
          <span>Search event types</span>
          <input
            type="search"
            placeholder={`Words of the ${types.length} types, such as sim suspended`}
            value={search}
            onInput={(event) => onSearch(event.currentTarget.value)}
          />
          <small role="status">
            {search === "" ? "" : `${found.length} of ${types.length} types`}
          </small>
        </label>
        <label class="field">
          <span>Event type</span>
          <select value={type} onChange={(event) => onSelect(event.currentTarget.value)}>
            {[...Map.groupBy(listed, (each) => each.type.split(".")[0] ?? "")].map(
              ([family, those]) => (
                <optgroup key={family} label={family}>
                  {those.map((each) => (
                    <option key={each.type} value={each.type}>
                      {each.type}
                      {each.earlier ? " (earlier)" : ""}
                    </option>
                  ))}
                </optgroup>
              ),
            )}
          </select>
          <small>{text}</small>
        </label>
        {form.type !== type ? (
          <p class="note">Loading …</p>
        ) : (
          <Section title="Fields of the record">
            <div class="fields">
              {fieldsOf(form).map((field) => (
                <Field
                  key={field.name}
                  field={field}
                  description={descriptions[field.name] ?? ""}
                  value={data === undefined ? "" : readField(data, field)}
                  isDisabled={data === undefined}
                  onChange={(value) => set(field, value)}
                />
              ))}
            </div>
          </Section>
        )}
      </div>
      <div>
        <label for="event-json">
          <h3>Data as JSON</h3>
        </label>
        <textarea
          id="event-json"
          spellcheck={false}
          aria-invalid={data === undefined}
          value={json}
          onInput={(event) => setJson(event.currentTarget.value)}
        />
        <Failure message={data === undefined ? "This is not a JSON object." : ""} />
        <div class="row">
          <Action tone="main" run={send} isDisabled={!isReady}>
            Send {type}
          </Action>
          <button type="button" onClick={() => setJson(stringify(form.data, 2))}>
            Sample
          </button>
          <LiveSwitch isLive={isLive} onChange={setLive} />
        </div>
        <p class="note">
          {receivers.length === 0
            ? `No webhook endpoint receives it${isLive ? " in live mode" : ""}.`
            : `Will be sent to ${receivers.map(({ url }) => url).join(", ")}.`}
        </p>
        <p role="status">
          {sent !== undefined && (
            <>
              Sent {sent.type}.{" "}
              {receivers.length === 0 ? (
                <Link to="endpoints">Register a webhook endpoint to receive it</Link>
              ) : (
                <Link to="deliveries" words={sent.id}>
                  See its deliveries
                </Link>
              )}
            </>
          )}
        </p>
      </div>
    </div>
  );
}

type Listed = { readonly type: string; readonly earlier: boolean };

/** Returns the types that contain every word in their name or description, and the best one first: the shortest name with all of them. */
function findTypes<T extends Listed>(
  types: readonly T[],
  texts: Readonly<Record<string, EventText>> | undefined,
  search: string,
): T[] {
  const words = search
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean);
  const has = (text: string): boolean => words.every((word) => text.includes(word));
  const named = types.filter((each) => has(each.type));
  const about = types.filter((each) =>
    has(`${each.type} ${texts?.[each.type]?.text}`.toLowerCase()),
  );
  const rank = ({ type, earlier }: T): number => type.length + (earlier ? 100 : 0);
  return [...new Set([...named.toSorted((one, other) => rank(one) - rank(other)), ...about])];
}

function Field({
  field,
  description,
  value,
  isDisabled,
  onChange,
}: {
  field: FormField;
  description: string;
  value: string;
  isDisabled: boolean;
  onChange: (value: string) => void;
}) {
  const { name, choices, kind, isOpen } = field;
  const take = (event: { currentTarget: { value: string } }): void =>
    onChange(event.currentTarget.value);
  const shared = {
    value,
    disabled: isDisabled,
    // A click on the button right after a key sends what was typed. A number is read at its end: 1.0 would become 1.
    ...(kind === "string" ? { onInput: take } : { onChange: take }),
  };
  const list = choices.length > 0 && isOpen ? `choices-${name}` : undefined;
  return (
    <label class="field">
      <span>
        <code>{name}</code>
      </span>
      {choices.length > 0 && !isOpen ? (
        <select {...shared}>
          <option value="">not sent</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          list={list}
          inputMode={kind === "number" ? "numeric" : undefined}
          placeholder="not sent"
        />
      )}
      {list !== undefined && (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {description !== "" && <small>{description}</small>}
    </label>
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
