import { useEffect, useRef, useState } from "preact/hooks";
import { describeMatches } from "../src/engine/controls/filter.ts";
import type { StatePage, StateRow } from "../src/engine/controls/wire.ts";
import { call } from "./api.ts";
import { zonedStamp } from "./format.ts";
import { isHidden, parse, stringify } from "./json.ts";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { Action, Link } from "./parts.tsx";
import { RecordDetails } from "./record-details.tsx";
import { OPENED } from "./records.tsx";
import { useStore } from "./store.ts";
import { Switches } from "./switches.tsx";
import { go, type Selection } from "./views.ts";

/** Rows of one part of a list, as the sandbox sends them. */
const ROWS = 200;
/** Milliseconds after the last change before the list is read again. */
const PAUSE = 400;

/** The records of the services, list by list, and one of them with all that happened to it. */
export function StateView({ selected = "devices", onSelect, words, onWords }: Selection) {
  const { version, settings } = useStore();
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const [offset, setOffset] = useState(0);
  const [page, setPage] = useState<StatePage>();
  const [name = "", id] = selected.split(/\/(.*)/);
  // Whatever happened may have changed the records.
  const changes = useLater(version);
  const search = useLater(words);

  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const query = new URLSearchParams({ offset: String(offset), search });
    call<Record<string, number>>("GET /sandbox/state", { signal }).then(setCounts, () => {});
    call<StatePage>(`GET /sandbox/state/${name}?${query}`, { signal }).then(setPage, () => {});
    return () => left.abort();
  }, [name, offset, search, changes]);

  const open = (next: string): void => {
    setPage(undefined);
    setOffset(0);
    go("state", next);
  };
  return (
    <MasterDetail
      isOpen={id !== undefined}
      onClose={() => onSelect(name)}
      list={
        <div class="panel">
          <Snapshots />
          {/* All at once, so that nothing moves. */}
          {settings === undefined || Object.keys(counts).length === 0 ? (
            <p class="note">Loading …</p>
          ) : (
            <>
              <Switches />
              <div class="chips" role="group" aria-label="Lists">
                {Object.entries(counts).map(([each, count]) => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={each === name}
                    onClick={() => open(each)}
                  >
                    {each} <span class="count">{count.toLocaleString("en")}</span>
                  </button>
                ))}
              </div>
              <Filter
                label={`Search ${name}`}
                placeholder={`Search ${name}: ${columnsOf(page?.rows ?? [])
                  .slice(0, NAMED)
                  .join(", ")}`}
                words={words}
                onWords={(next) => {
                  setOffset(0);
                  onWords(next);
                }}
                said={describeMatches(page?.matches ?? [])}
                found={page?.total ?? 0}
                total={counts[name] ?? 0}
              >
                {page !== undefined && page.total > ROWS && (
                  <>
                    <button
                      type="button"
                      disabled={offset === 0}
                      onClick={() => setOffset(offset - ROWS)}
                    >
                      Previous
                    </button>
                    <button
                      type="button"
                      disabled={offset + ROWS >= page.total}
                      onClick={() => setOffset(offset + ROWS)}
                    >
                      Next
                    </button>
                    <output class="muted">
                      {offset + 1} to {Math.min(offset + ROWS, page.total)}
                    </output>
                  </>
                )}
              </Filter>
              {page === undefined ? (
                <p class="note">Loading …</p>
              ) : page.rows.length === 0 ? (
                <p class="note">{words === "" ? "There is none." : "None fits the search."}</p>
              ) : (
                <Table name={name} rows={page.rows} selected={id} onSelect={onSelect} />
              )}
            </>
          )}
        </div>
      }
      details={id !== undefined && <RecordDetails key={id} id={id} version={changes} />}
    />
  );
}

/** The rows of a list. A row with an id opens its record. */
function Table({
  name,
  rows,
  selected,
  onSelect,
}: {
  name: string;
  rows: readonly StateRow[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}) {
  const columns = columnsOf(rows);
  return (
    <div class="table" tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            const id = row["id"];
            const place = id === undefined || !OPENED.has(name) ? undefined : `${name}/${id}`;
            return (
              <tr
                key={String(id ?? at)}
                class={place === undefined ? "" : id === selected ? "opens is-open" : "opens"}
                onClick={place === undefined ? undefined : () => onSelect(place)}
              >
                {columns.map((column, first) => (
                  <td key={column}>
                    {first === 0 && place !== undefined ? (
                      <Link to="state" id={place}>
                        {cell(row[column])}
                      </Link>
                    ) : (
                      cell(row[column])
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Fields that the search names. */
const NAMED = 4;

/** Returns the fields of a list. The id is first, because it opens the record and is what other programs require. */
function columnsOf(rows: readonly StateRow[]): readonly string[] {
  const names = Object.keys(rows[0] ?? {});
  return names.toSorted((a, b) => Number(b === "id") - Number(a === "id"));
}

/** Saves everything to a file, and restores it. */
function Snapshots() {
  const field = useRef<HTMLInputElement>(null);
  const save = async (): Promise<void> => {
    const snapshot = await call<unknown>("POST /sandbox/snapshot");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([stringify(snapshot)], { type: "application/json" }));
    link.download = "sandbox.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const restore = async (): Promise<void> => {
    const file = field.current?.files?.[0];
    if (file === undefined) throw new Error("Choose the file of a snapshot.");
    await call("POST /sandbox/restore", { body: parse(await file.text()) as object });
  };
  const reset = async (): Promise<void> => {
    if (confirm("Reset all state, requests, events, endpoints and faults? This cannot be undone."))
      await call("POST /sandbox/reset");
  };
  return (
    <div class="row">
      <Action run={save}>Save a snapshot</Action>
      <label>
        <span class="hidden">File of a snapshot</span>
        <input ref={field} type="file" accept="application/json" />
      </label>
      <Action run={restore}>Restore</Action>
      <Action tone="danger" run={reset}>
        Reset everything
      </Action>
    </div>
  );
}

/** A time as the services write it. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Writes a value of a record. */
function cell(value: string | number | boolean | null | undefined) {
  if (isHidden(value))
    return (
      <span class="dots" title="personal data">
        ••••••
      </span>
    );
  if (value === null || value === undefined || value === "") return <span class="muted">–</span>;
  if (typeof value === "string" && TIME.test(value)) return zonedStamp(Date.parse(value));
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

/** Returns the value once it has not changed for a while. */
function useLater<T>(value: T): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
