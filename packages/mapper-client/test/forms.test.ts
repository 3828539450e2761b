import { describe, expect, test } from "vitest";
import {
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  type MappingResult,
} from "../src/index.ts";
import uplinkForms from "../../../tools/testing/uplink-forms.json" with { type: "json" };

// Uplinks in the forms that people have, with invented ids and keys, and what the map gets of each.

interface Form {
  readonly message: Record<string, unknown>;
  readonly result: MappingResult;
}

const forms = Object.entries(uplinkForms).map(([name, form]) => ({
  name,
  ...(form as unknown as Form),
}));

test("there are at least eight forms", () => {
  expect(forms.length).toBeGreaterThanOrEqual(8);
});

describe.each(forms)("$name", ({ message, result }) => {
  test("is built as its file says", () => {
    expect(fromConsoleUplink(message)).toEqual(result);
  });

  test("is forwarded, or left out with its problems", async () => {
    const sent: unknown[] = [];
    const client = createMapperClient({
      baseUrl: "https://map.test",
      fetch: async (_, { body }) => {
        sent.push(JSON.parse(body as string));
        return new Response("Success");
      },
    });
    const forward = createForwarder({ client, authorization: "none" });
    const body = JSON.stringify(message);
    const response = await forward(new Request("https://me.test", { method: "POST", body }));
    const report = (await response.json()) as Record<string, unknown>;
    if (result.isMappable) {
      expect(report).toMatchObject({ outcome: "forwarded", changes: result.changes });
      expect(sent).toEqual([JSON.parse(JSON.stringify(result.uplink))]);
    } else {
      expect(report).toMatchObject({ outcome: "left_out", problems: result.problems });
      expect(sent).toEqual([]);
    }
  });
});
