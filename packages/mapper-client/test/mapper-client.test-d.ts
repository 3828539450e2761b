import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
  type ConsoleSubmission,
  type ForwardReport,
  type IngestResult,
  type MessageForm,
  type NetworkServerSubmission,
  type UplinkForm,
  type UplinkSubmission,
} from "../src/index.ts";
import { createUplinkReceiver, parseConsoleUplink, type ConsoleUplink } from "../src/uplink.ts";

const client = createMapperClient({ baseUrl: "https://map.test" });

test("ingest accepts both forms and returns one type", () => {
  expectTypeOf(client.ingest).parameter(0).toEqualTypeOf<UplinkSubmission>();
  expectTypeOf(client.ingest).returns.toEqualTypeOf<Promise<IngestResult>>();
  const uplink = { dev_eui: "", fcnt: 1, hotspots: [] };
  const payload = { latitude: "", longitude: 1, altitude: 1, accuracy: 1 };
  // @ts-expect-error latitude is not a number
  void (() => client.ingest({ ...uplink, decoded: { payload } }));
  const object = { latitude: 1, longitude: 1, altitude: 1, accuracy: 1, battery: 3.6 };
  void (() => client.ingest({ end_device_ids: { device_id: "a" }, object }));
});

test("a builder returns its own form once the uplink is mappable", () => {
  const [a, b] = [fromConsoleUplink({}), fromNetworkServer({})];
  // @ts-expect-error without a check of isMappable
  void a.uplink;
  if (a.isMappable) expectTypeOf(a.uplink).toEqualTypeOf<ConsoleSubmission>();
  if (b.isMappable) expectTypeOf(b.uplink).toEqualTypeOf<NetworkServerSubmission>();
  // Without the observed rules, only the position is checked.
  const open = fromConsoleUplink({}, { observedRules: false });
  if (open.isMappable) expectTypeOf(open.uplink).toEqualTypeOf<UplinkSubmission>();
});

test("the result of a message reads like a sentence", () => {
  const result = fromConsoleUplink({}, { fields: { latitude: "gps.0.lat", accuracy: 10 } });
  // @ts-expect-error a position has no default
  void (() => fromConsoleUplink({}, { fields: { latitude: 47 } }));
  if (result.isMappable || result.isUplink) expectTypeOf(result.form).toEqualTypeOf<UplinkForm>();
  else expectTypeOf(result.form).toEqualTypeOf<Exclude<MessageForm, UplinkForm>>();
  expectTypeOf<"join event of ChirpStack v4">().toExtend<MessageForm>();
  expectTypeOf<ForwardReport["form"]>().toEqualTypeOf<MessageForm>();
});

test("a schema types the decoded payload", () => {
  const decoded = z.object({ level: z.number() });
  expectTypeOf(parseConsoleUplink("", { decoded })).resolves.toHaveProperty("decoded");
  expectTypeOf(parseConsoleUplink("")).resolves.toEqualTypeOf<ConsoleUplink>();
  createUplinkReceiver({
    authorization: "none",
    decoded,
    handler: (uplink) => expectTypeOf(uplink.decoded.payload.level).toEqualTypeOf<number>(),
  });
  createUplinkReceiver({
    authorization: "none",
    handler: (uplink) => expectTypeOf(uplink).toEqualTypeOf<ConsoleUplink>(),
  });
});
