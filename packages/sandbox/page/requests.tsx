import { searchRequest } from "../src/engine/controls/filter.ts";
import type { RequestRow } from "../src/engine/controls/wire.ts";
import { Filter, MasterDetail } from "./master-detail.tsx";
import { type Filtering, useFilter } from "./filter.ts";
import { duration, timeHead, timeOfDay, toneOf } from "./format.ts";
import { List } from "./list.tsx";
import { Action, Badge } from "./parts.tsx";
import { Rates } from "./rates.tsx";
import { RequestDetails } from "./request-details.tsx";
import { call } from "./api.ts";
import { Connect } from "./connect.tsx";
import { nameOf } from "./fault-text.ts";
import { useStore } from "./store.ts";
import type { Selection } from "./views.ts";

const FILTERING: Filtering<RequestRow> = {
  searchOf: searchRequest,
  bodyOf: ({ number }) => number,
  bodies: "requests",
  one: "request",
};

/** The requests as they arrive, and one of them in full. */
export function Requests(selection: Selection) {
  const { selected, onSelect } = selection;
  const { requests, settings } = useStore();
  const { found, field, none } = useFilter(requests, selection, FILTERING);
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
            placeholder="Filter: 404 4xx labels.create, or words of bodies and headers"
            suggestions={["failed", "key:unknown"]}
            {...field}
          >
            {requests.length > 0 && <Action run={clearLog}>Clear log</Action>}
          </Filter>
          <Rates />
          <div class="columns request-line" aria-hidden="true">
            <span>{timeHead()}</span>
            <span>Method</span>
            <span>Call or path</span>
            <span>Status</span>
            <span class="number">Duration</span>
            <span>Client</span>
          </div>
          <List<RequestRow>
            label="Requests, newest first"
            items={found}
            idOf={({ number: id }) => id}
            selected={number}
            onSelect={onSelect}
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
                <p>{none}</p>
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

function drawLine(request: RequestRow) {
  const { time, method, service, row, path, status, duration: took, fault, client } = request;
  return (
    <div class="request-line">
      <span class="muted">{timeOfDay(time)}</span>
      <span class="method">{method}</span>
      <span class="called">
        <span class="main">
          <span class="service">{service}</span> {row ?? path}
        </span>
        {fault !== undefined && <span class="fault">{nameOf({ kind: fault, status })}</span>}
      </span>
      <span>
        <Badge tone={took === undefined ? "calm" : toneOf(status)}>
          {took === undefined ? "…" : (status ?? "broken")}
        </Badge>
      </span>
      <span class="number muted">{duration(took)}</span>
      <span class="muted main">{client}</span>
    </div>
  );
}
