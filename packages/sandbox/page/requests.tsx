import { useMemo, useState } from "preact/hooks";
import type { RequestRow } from "../src/engine/controls/wire.ts";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { duration, timeOfDay, toneOf } from "./format.ts";
import { List } from "./list.tsx";
import { Badge } from "./parts.tsx";
import { RequestDetails } from "./request-details.tsx";
import { filter, useStore } from "./store.ts";

/** The requests as they arrive, and one of them in full. */
export function Requests({
  selected,
  onSelect,
}: {
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
}) {
  const { requests } = useStore();
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase();
  const found = useMemo(() => filter(requests, wanted), [requests, wanted]);
  const number = selected === undefined ? undefined : Number(selected);
  const open = number === undefined ? undefined : requests.find((each) => each.number === number);
  return (
    <MasterDetail
      isOpen={number !== undefined}
      onClose={() => onSelect(undefined)}
      list={
        <>
          <Filter
            label="Filter requests"
            placeholder="Filter: labels 404 delay …"
            words={words}
            onWords={setWords}
            found={found.length}
            total={requests.length}
          />
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
                <>
                  <h2>No request yet</h2>
                  <p>Call a service of this sandbox. Its requests appear here as they arrive.</p>
                </>
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
        {fault !== undefined && <span class="fault">{fault}</span>}
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
