import { states, succeeds, type Statement } from "./statement.ts";

const send = (body: unknown) =>
  `POST /mapper/api/v1/ingest/uplink\ncontent-type: application/json\n\n${JSON.stringify(body)}`;
const four = { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5 };
const zero = { latitude: 0, longitude: 0, altitude: 0, accuracy: 0 };
const inPayload = (payload: unknown) => ({ decoded: { payload } });
const rejected = (says: string, body: unknown) => states(says, send(body), 400, "Invalid Fields");
const hosted = { mapper: { deployment: "hosted" } } as const;

export const mapperStatements: readonly Statement[] = [
  succeeds("the four fields are enough in decoded.payload", send(inPayload(four)), "Success"),
  succeeds("they are enough in object", send({ object: four }), "Success"),
  succeeds("0 degrees is a place in decoded.payload", send(inPayload(zero)), "Success"),
  succeeds("0 degrees is a place in object", send({ object: zero }), "Success"),
  succeeds(
    "other data may be in object",
    send({ ...inPayload(four), object: { level: 3 } }),
    "Success",
  ),
  succeeds(
    "other data may be in decoded.payload",
    send({ ...inPayload({ level: 3 }), object: four }),
    "Success",
  ),
  ...Object.keys(four).map((field) =>
    rejected(`${field} is required`, inPayload({ ...four, [field]: undefined })),
  ),
  rejected("the case of a name counts", inPayload({ ...four, latitude: undefined, Latitude: 47 })),
  rejected("altitude is an integer", inPayload({ ...four, altitude: 1.5 })),
  ...[
    null,
    [],
    7,
    "text",
    {},
    { decoded: 7 },
    { object: [] },
    { decoded: { payload: null }, object: null },
  ].map((body) => rejected(`the body ${JSON.stringify(body)} lacks the fields`, body)),
  // The switches, the other way.
  states(
    "a hosted deployment requires hotspots",
    send(inPayload(four)),
    500,
    "Internal Server Error",
    hosted,
  ),
  states(
    "a hosted deployment knows no place at 0 degrees",
    send(inPayload({ ...four, latitude: 0 })),
    400,
    { error: ["latitude is out of range"] },
    hosted,
  ),
  succeeds(
    "a deployment may respond in JSON",
    send(inPayload(four)),
    { uplink: four, status: "success" },
    { mapper: { responses: "json" } },
  ),
  states("a deployment may allow no uplink", send(inPayload(four)), 429, "Too many requests", {
    mapper: { requestsPerMinute: 0 },
  }),
];
