import { useMemo, useState, useEffect } from "preact/hooks";
import type { RequestRow } from "../src/engine/controls/wire.ts";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { duration, timeOfDay, toneOf } from "./format.ts";
import { List } from "./list.tsx";
import { Action, Badge } from "./parts.tsx";
import { RequestDetails } from "./request-details.tsx";
import { call } from "./api.ts";
import { Connect } from "./connect.tsx";
import { nameOf } from "./fault-text.ts";
import { filter, useStore } from "./store.ts";
import type { Selection } from "./views.ts";

/** The requests as they arrive, and one of them in full. */
export function Requests({ selected, onSelect }: Selection) {
  const { requests, settings } = useStore();
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase();
  const inside = useSearch(wanted, requests.length);
  const found = useMemo(() => {
    const named = filter(requests, wanted);
    if (inside.size === 0) return named;
    const known = new Set(named.map((each) => each.number));
    return requests.filter((each) => known.has(each.number) || inside.has(each.number));
  }, [requests, wanted, inside]);
  const number = selected === undefined ? undefined : Number(selected);
  const open = number === undefined ? undefined : requests.find((each) => each.number === number);
  return (
    <MasterDetail
      isOpen={number !== undefined}
      onClose={() => onSelect(undefined)}
      list={
        <>
          <div class="toolbar">
            <Filter
              label="Filter requests"
              placeholder="Filter: labels 404 lost, or words of bodies and headers"
              words={words}
              onWords={setWords}
              found={found.length}
              total={requests.length}
            />
            {requests.length > 0 && <Action run={clearLog}>Clear log</Action>}
          </div>
          <div class="columns request-line" aria-hidden="true">
            <span>Time</span>
            <span>Method</span>
            <span>Call or path</span>
            <span>Status</span>
            <span class="number">Duration</span>
          </div>
          <List<RequestRow>
            label="Requests, newest first"
            items={found}
            idOf={({ number: id }) => id}
            selected={number}
            onSelect={(id) => onSelect(id === undefined ? undefined : String(id))}
            draw={drawLine}
            empty={
              requests.length === 0 ? (
                // The addresses arrive with the first message, and nothing may move when they do.
                settings !== undefined && (
                  <>
                    <h2>No request yet</h2>
                    <p>Call a service of this sandbox. Its requests appear here as they arrive.</p>
                    <Connect />
                  </>
                )
              ) : (
                <p>No request fits the filter.</p>
              )
            }
          />
        </>
      }
      details={
        number !== undefined && (
          <RequestDetails
            number={number}
            version={`${number} ${open?.status} ${open?.duration}`}
            onOpen={(next) => onSelect(next?.toString())}
          />
        )
      }
    />
  );
}

/** Forgets the requests in the sandbox, which tells all its pages. Its data stays. */
async function clearLog(): Promise<void> {
  await call("POST /sandbox/clear");
}

function drawLine({ time, method, service, row, path, status, duration: took, fault }: RequestRow) {
  return (
    <div class="request-line">
      <span class="muted">{timeOfDay(time)}</span>
      <span class="method">{method}</span>
      <span class="called">
        <span class="main">
          {row === undefined ? (
            path
          ) : (
            <>
              <span class="service">{service}</span> {row}
            </>
          )}
        </span>
        {fault !== undefined && <span class="fault">{nameOf({ kind: fault, status })}</span>}
      </span>
      <span>
        <Badge tone={took === undefined ? "calm" : toneOf(status)}>
          {took === undefined ? "…" : (status ?? "broken")}
        </Badge>
      </span>
      <span class="number muted">{duration(took)}</span>
    </div>
  );
}

/** Milliseconds without a key or a new request before the sandbox searches. */
const PAUSE = 300;
const NONE: ReadonlySet<number> = new Set();

/** Returns the requests whose headers or bodies contain the words. `version` changes when there may be others. */
function useSearch(words: string, version: number): ReadonlySet<number> {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (words.trim() === "") {
      setFound(NONE);
      return;
    }
    const left = new AbortController();
    const search = async (): Promise<void> => {
      const query = new URLSearchParams({ words });
      const numbers = await call<number[]>(`GET /sandbox/search?${query}`, { signal: left.signal });
      setFound(new Set(numbers));
    };
    // Without an answer, the filter finds what the list shows.
    const timer = setTimeout(() => void search().catch(() => setFound(NONE)), PAUSE);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [words, version]);
  return found;
}
