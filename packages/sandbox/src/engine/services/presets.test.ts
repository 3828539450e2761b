import { expect, test } from "vitest";
import { currentOptions } from "./presets.ts";

test("the current options are those that were passed, over what the deployment sets, as JSON", () => {
  const { console, ledger, mapper, mobile } = currentOptions({
    console: { deployment: "hosted", lookup: "list" },
    ledger: { blockInterval: Infinity, requestsPerMinute: Infinity },
    mapper: {},
  });
  expect(console).toEqual({
    deployment: "hosted",
    inputs: "observed",
    organization: "record",
    records: "full",
    lookup: "list",
    singleCreate: "disabled",
    flowCreated: "text",
    duplicates: "rejected",
    textType: "none",
    requestsPerMinute: 600,
  });
  expect(ledger).toMatchObject({ times: "spec", blockInterval: null, requestsPerMinute: null });
  expect(mapper).toEqual({ responses: "text", inputs: "spec", requestsPerMinute: 60 });
  expect(mobile).toEqual({ inputs: "spec" });
});
