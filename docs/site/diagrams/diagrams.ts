import { eventTypes } from "@fieldmesh/webhook-types";
import { arrow, box, crash, frame, text, toSvg, type Diagram, type Point } from "./draw.ts";

/** The drawings of the guides, by their file names. */
const diagrams: Readonly<Record<string, Diagram>> = {
  services: drawServices(),
  delivery: drawDelivery(),
  outcomes: drawOutcomes(),
  stores: drawStores(),
  retries: drawRetries(),
  redelivery: drawRedelivery(),
  "read-back": drawReadBack(),
  checkpoint: drawCheckpoint(),
};

/** Returns the drawings as SVG, by their paths from the root. */
export function drawDiagrams(): Map<string, string> {
  return new Map(
    Object.entries(diagrams).map(([name, diagram]) => [
      `docs/diagrams/${name}.svg`,
      toSvg(name, diagram),
    ]),
  );
}

function drawServices(): Diagram {
  const rows = [
    ["console-client", "Device console", "devices, labels, flows"],
    ["ledger-client", "Ledger", "accounts, blocks, rewards"],
    ["mapper-client", "Mapping ingest", "coverage uplinks"],
  ] as const;
  const clients = rows.flatMap(([client, service, holds], index) => {
    const y = 24 + index * 64;
    return [
      arrow([
        [128, y + 24],
        [190, y + 24],
      ]),
      box([192, y], [176, 48], [client]),
      arrow([
        [368, y + 24],
        [482, y + 24],
      ]),
      box([484, y], [188, 48], [service, holds]),
    ];
  });
  return {
    width: 688,
    height: 400,
    description:
      "Your program calls four services through one client each: console-client calls the device console, ledger-client the ledger, mapper-client the mapping ingest, and mobile-client the mobile service. The mobile service sends webhook events, which webhook-types verifies and hands to your program. All clients share http and core. The sandbox runs all four services on your machine.",
    parts: [
      frame([472, 8], [212, 336]),
      text([578, 366], "sandbox: the same four services", "small", "middle"),
      text([578, 384], "on your machine", "small", "middle"),
      box([4, 24], [124, 304], ["Your program"]),
      ...clients,
      arrow([
        [128, 240],
        [190, 240],
      ]),
      box([192, 216], [176, 48], ["mobile-client"]),
      arrow([
        [368, 240],
        [482, 240],
      ]),
      arrow(
        [
          [190, 304],
          [130, 304],
        ],
        "good",
      ),
      box([192, 280], [176, 48], ["webhook-types"], "good"),
      arrow(
        [
          [482, 304],
          [370, 304],
        ],
        "good",
      ),
      text([426, 296], `${eventTypes.length} events`, "small good", "middle"),
      box([484, 216], [188, 112], ["Mobile service", "SIMs, plans, invoices"]),
      box([192, 348], [176, 40], ["http, core"]),
      text([4, 366], "The clients share one", "small"),
      text([4, 384], "transport and its errors.", "small"),
    ],
  };
}

function drawDelivery(): Diagram {
  const steps = [
    ["Verify", "the signature"],
    ["Claim", "in the store"],
    ["Run", "your handlers"],
    ["Mark", "as handled"],
    ["Respond", "200"],
  ] as const;
  const at = (index: number): number => index * 142 + 4;
  const boxes = steps.flatMap((lines, index) => [
    box([at(index), 52], [112, 56], lines, index === 4 ? "good" : ""),
    ...(index < 4
      ? [
          arrow([
            [at(index) + 112, 80],
            [at(index) + 140, 80],
          ]),
        ]
      : []),
  ]);
  const ends: readonly (readonly [number, readonly string[]])[] = [
    [at(0), ["1  before the claim", "Nothing is stored.", "The retry runs the", "handlers."]],
    [
      at(1) + 30,
      ["2  in a handler", "The claim ends with its", "lease, 30 s. The retry", "runs them again."],
    ],
    [
      at(2) + 66,
      [
        "3  after the work",
        "The retry runs them",
        "again. postgresInbox has",
        "rolled the work back.",
      ],
    ],
    [at(3) + 106, ["4  after the mark", "The retry is a", "duplicate: 200,", "no handler runs."]],
  ];
  return {
    width: 688,
    height: 236,
    description:
      "A delivery passes five steps: verify the signature, claim the event in the store, run your handlers, mark the event as handled, respond 200. If the process ends before the claim, nothing is stored and the retry runs the handlers. If it ends in a handler, the claim ends with its lease of 30 seconds and the retry runs the handlers again. If it ends after the work and before the mark, the retry runs them again; with the PostgreSQL inbox the work was rolled back. If it ends after the mark, the retry is a duplicate and gets 200.",
    parts: [
      text(
        [4, 18],
        "The process may be killed at any point. The service got no 2xx, so it retries.",
        "small",
      ),
      ...boxes,
      crash([130, 50], 1),
      crash([at(2) + 56, 50], 2),
      crash([at(3) - 16, 50], 3),
      crash([at(4) - 16, 50], 4),
      ...ends.map(([x, [title = "", ...lines]]) =>
        [text([x, 148], title, "bad strong"), text([x, 168], lines, "small")].join(""),
      ),
    ],
  };
}

function drawOutcomes(): Diagram {
  const questions: readonly (readonly [readonly string[], string, readonly string[], string])[] = [
    [["Was a request sent?"], "no", ["not_sent", "fix the cause, then call again"], ""],
    [["Did a whole response arrive?"], "no", ["unknown", "check before you send again"], "warn"],
    [
      ["Is its status a success?"],
      "yes",
      ["applied", "carried out; the body does not fit"],
      "good",
    ],
    [
      ["Is it 408, 5xx, 301 to 303, or", "409 for a key in progress?"],
      "yes",
      ["unknown", "check before you send again"],
      "warn",
    ],
  ];
  const rows = questions.flatMap(([lines, way, result, kind], index) => {
    const y = 8 + index * 84;
    return [
      box([4, y], [272, 52], lines, "question"),
      arrow(
        [
          [276, y + 26],
          [386, y + 26],
        ],
        kind,
      ),
      text([330, y + 19], way, "small", "middle"),
      box([388, y], [296, 52], result, kind),
      arrow([
        [140, y + 52],
        [140, y + 82],
      ]),
      text([152, y + 72], way === "no" ? "yes" : "no", "small"),
    ];
  });
  return {
    width: 688,
    height: 404,
    description:
      "How the client determines the outcome of a failed call. Was a request sent? If not, the outcome is not_sent: fix the cause, then call again. Did a whole response arrive? If not, it is unknown: check before you send again. Is its status a success? Then it is applied: the call was carried out, but the body does not fit; a web page is unknown. Is it 408, 5xx, a redirect 301 to 303, or 409 for a key in progress? Then it is unknown. Otherwise it is rejected: correct the request.",
    parts: [
      ...rows,
      box([4, 344], [272, 52], ["rejected", "no effect; correct the request"], "bad"),
    ],
  };
}

function drawStores(): Diagram {
  const rungs: readonly (readonly [readonly string[], readonly string[], readonly string[]])[] = [
    [["noStore"], ["once for each", "delivery"], ["nothing"]],
    [["memoryStore"], ["never two", "at once"], ["one process"]],
    [["sqliteStore"], ["remembered after", "a restart"], ["one process,", "a file"]],
    [
      ["redisStore", "postgresStore"],
      ["shared by many", "processes"],
      ["Redis or", "PostgreSQL"],
    ],
    [
      ["sqliteInbox", "postgresInbox"],
      ["an event takes", "effect exactly", "once"],
      ["work in their", "transaction"],
    ],
  ];
  const steps = rungs.flatMap(([names, gain, needs], index) => {
    const [x, top] = [4 + index * 137, 186 - index * 40];
    return [
      `<rect class="box ${index === 4 ? "good" : ""}" x="${x}" y="${top}" width="131" height="${262 - top}" rx="6"/>`,
      text([x + 10, top + 22], names, "mono strong"),
      text([x + 10, top + 22 + names.length * 18], gain, "small"),
      text([x + 10, 286], needs, "small"),
    ];
  });
  return {
    width: 688,
    height: 312,
    description:
      "Stores, each with a stronger guarantee than the one before. noStore: handlers run once for each delivery; it needs nothing. memoryStore: never two at once; it needs a single process. sqliteStore: remembered after a restart; it needs a single process and a file. redisStore and postgresStore: shared by many processes; they need Redis or PostgreSQL. sqliteInbox and postgresInbox: an event takes effect exactly once; they need SQLite or PostgreSQL, and handlers that write in the transaction.",
    parts: [text([4, 18], "Each step adds a guarantee. Below: what it needs.", "small"), ...steps],
  };
}

function drawRetries(): Diagram {
  const bar = (x: number, width: number, lines: readonly string[], kind: string): string =>
    box([x, 44], [width, 48], lines, kind);
  const wait = (x: number, width: number, label: string): string =>
    `${frame([x, 54], [width, 28])}${text([x + width / 2, 112], label, "small", "middle")}`;
  return {
    width: 688,
    height: 212,
    description:
      "A GET that is tried three times. Attempt 1 ends after at most 30 seconds. The client waits a random time, up to 300 milliseconds. Attempt 2 follows. The client waits up to 600 milliseconds. Attempt 3 follows, and its error ends the call. The whole call lasts at most 120 seconds. A 429 is different: all calls of the client wait until the time that the service names, and no attempt is used up.",
    parts: [
      text([4, 18], "A GET, PUT or DELETE that keeps failing, with the defaults", "strong"),
      bar(4, 150, ["Attempt 1", "503 after ≤ 30 s"], "bad"),
      wait(162, 70, "0 to 300 ms"),
      bar(240, 150, ["Attempt 2", "reset after ≤ 30 s"], "bad"),
      wait(398, 100, "0 to 600 ms"),
      bar(506, 150, ["Attempt 3", "its error ends the call"], "bad"),
      arrow([
        [4, 136],
        [684, 136],
      ]),
      text([344, 156], "totalTimeout: 120 s for all attempts and waits", "small", "middle"),
      text([4, 190], "429", "mono warn strong"),
      text(
        [38, 190],
        "All calls of the client wait together until the time that the service names. No attempt is used up.",
        "small",
      ),
    ],
  };
}

function drawRedelivery(): Diagram {
  const waits = ["30 s", "2 min", "10 min", "30 min", "1 h", "2 h", "6 h", "12 h", "24 h"];
  const at = (index: number): number => 30 + index * 70;
  return {
    width: 688,
    height: 128,
    description:
      "The service sends a delivery up to ten times. It waits 30 seconds, 2 minutes, 10 minutes, 30 minutes, 1 hour, 2 hours, 6 hours, 12 hours and 24 hours between them, about two days in all. After the tenth attempt, the delivery is a dead letter.",
    parts: [
      `<path class="line" d="M 30 56 H 660"/>`,
      ...Array.from({ length: 10 }, (_, index) => {
        const kind = index === 9 ? "bad" : "good";
        return [
          `<circle class="box fill ${kind}" cx="${at(index)}" cy="56" r="7"/>`,
          text([at(index), 86], String(index + 1), "small", "middle"),
          index < 9 ? text([at(index) + 35, 40], waits[index]!, "small", "middle") : "",
        ].join("");
      }),
      text(
        [30, 18],
        "Waits between the attempts of one delivery (observed); not to scale",
        "small",
      ),
      text([30, 116], "first delivery", "small", "middle").replace('"middle"', '"start"'),
      text([684, 116], "about two days later: dead letter", "bad", "end"),
    ],
  };
}

function drawReadBack(): Diagram {
  return {
    width: 688,
    height: 364,
    description:
      "How createMany settles a request that broke. It sends a device. If the console responds, the device is created or failed. If the request breaks or times out, the run waits settleTime and reads the device list. A device in the list is created. If it is missing after a timeout, it is unknown, because the server may still be working. If it is missing after a broken connection, the run reads a second list settleTime later. When both lists agree, it sends the device again.",
    parts: [
      box([4, 16], [180, 52], ["Send the device"]),
      arrow(
        [
          [184, 42],
          [436, 42],
        ],
        "good",
      ),
      text([310, 34], "the console responds", "small", "middle"),
      box([438, 16], [246, 52], ["created or failed"], "good"),
      arrow(
        [
          [94, 68],
          [94, 112],
        ],
        "bad",
      ),
      text([106, 95], "reset or timeout: nobody knows", "small"),
      box([4, 114], [180, 52], ["Wait settleTime,", "then read the device list"]),
      arrow(
        [
          [184, 140],
          [436, 140],
        ],
        "good",
      ),
      text([310, 132], "the device is in the list", "small", "middle"),
      box([438, 114], [246, 52], ["created"], "good"),
      arrow([
        [94, 166],
        [94, 210],
      ]),
      text([106, 193], "missing", "small"),
      box([4, 212], [180, 52], ["Did it time out?"]),
      arrow(
        [
          [184, 238],
          [436, 238],
        ],
        "warn",
      ),
      text([310, 230], "yes", "small", "middle"),
      box([438, 212], [246, 52], ["unknown", "the server may still be working"], "warn"),
      arrow([
        [94, 264],
        [94, 308],
      ]),
      text([106, 291], "no", "small"),
      box([4, 310], [180, 52], ["Read a second list", "settleTime later"]),
      arrow([
        [184, 336],
        [436, 336],
      ]),
      text([310, 328], "missing there too", "small", "middle"),
      box([438, 310], [246, 52], ["Send the device again"]),
    ],
  };
}

function drawCheckpoint(): Diagram {
  const kinds = ["good", "good", "next", "ahead"];
  const pages = kinds.flatMap((_, page) => {
    const x = 4 + page * 172;
    const cells = Array.from({ length: 4 }, (__, row) => {
      const isReturned = page < 1 || (page === 1 && row < 2);
      const isRead = page <= 2;
      const kind = isReturned ? "box good fill" : isRead ? "box" : "none";
      return `<rect class="${kind}" x="${x + 12 + row * 34}" y="66" width="28" height="28" rx="4"/>`;
    });
    return [
      `<rect class="${page <= 2 ? "line" : "none"}" x="${x}" y="52" width="156" height="56" rx="6"/>`,
      text([x, 40], `page ${page + 1}`, "small"),
      ...cells,
    ];
  });
  const after: Point = [4 + 172 + 12 + 65, 116];
  return {
    width: 688,
    height: 232,
    description:
      "A walk has returned all rows of page 1 and the first two rows of page 2. It has read page 3 ahead. The checkpoint holds the cursor of page 2, the offset 2, the query of the first page and hashes of the last rows, and no record. After a kill, the resumed walk requests page 2 again, skips two rows and returns the third.",
    parts: [
      text(
        [4, 16],
        "Filled: rows that next() has returned. Page 3 is read ahead; page 4 is not requested yet.",
        "small",
      ),
      ...pages,
      arrow([[after[0], 150], after], "warn"),
      box(
        [4, 152],
        [384, 64],
        ["checkpoint()", "cursor of page 2, offset 2, the query, hashes; no record"],
        "warn",
      ),
      arrow([
        [388, 184],
        [436, 184],
      ]),
      box([438, 152], [246, 64], ["Resume after a kill", "request page 2 again, skip 2 rows"]),
    ],
  };
}
