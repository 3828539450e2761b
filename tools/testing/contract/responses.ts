import { expectClean, objectsIn, poisoned } from "../own-prototype.ts";
import { kindOf, ResponseValidationError } from "@fieldmesh/http/internal";
import { expect, test } from "vitest";
import { callWithSample, type RowUnderTest } from "../services.ts";

// A network or a proxy that requires a sign-in responds with its own page and 200. No call accepts it as its response.

const html = "<html><body>Sign in, canary-3f</body></html>";
const pages: Readonly<Record<string, string>> = {
  "a doctype": `<!DOCTYPE html>${html}`,
  "a doctype in another case, after a line break": `\r\n <!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">${html}`,
  "a comment": `<!-- portal 2.1 -->\n${html}`,
  "an XML declaration": `<?xml version="1.0" encoding="UTF-8"?>\n${html}`,
  "a byte order mark": `\uFEFF${html}`,
  "a head": "<head><title>Sign in, canary-3f</title></head>",
  "a script": '<script>location = "https://portal.test/?canary-3f"</script>',
  "a meta element": '<META http-equiv="refresh" content="0; url=https://portal.test/canary-3f">',
  "a paragraph": "\t<p>Sign in, canary-3f",
};

/** Returns how a call ends, and how often it was sent. */
async function endOf(
  each: RowUnderTest,
  body: string | Uint8Array<ArrayBuffer>,
  validation: "strict" | "warn" | "off",
): Promise<{ output?: unknown; error?: unknown; sent: number }> {
  let sent = 0;
  const end = await callWithSample(each, {
    baseUrl: "https://service.test",
    validation,
    onDrift: () => undefined,
    fetch: async () => {
      sent++;
      return new Response(body, { status: each.row.status });
    },
  }).then(
    (output) => ({ output }),
    (error: unknown) => ({ error }),
  );
  return { ...end, sent };
}

/** Returns the sample of a row with a byte that is not UTF-8 in an undeclared field, or in its sentence. */
function damagedSample({ row }: RowUnderTest): Uint8Array<ArrayBuffer> {
  const output: unknown = row.sample.output;
  const damage = (value: unknown): unknown => ({ ...(value as object), undeclared: "~" });
  const body =
    typeof output === "string" || output === undefined
      ? "~"
      : JSON.stringify(Array.isArray(output) ? output.map(damage) : damage(output));
  const bytes = new TextEncoder().encode(body);
  return bytes.map((byte) => (byte === 0x7e ? 0xff : byte));
}

// Plain text may be in another encoding if the contract does not show the response.
const isOpenText = ({ row }: RowUnderTest): boolean =>
  row.open !== false && typeof row.sample.output === "string";

/** What is not a response of the service is rejected, and no field of a response changes a prototype. */
export function testResponses(rows: readonly RowUnderTest[]): void {
  test.for(rows)("$call rejects an HTML page, however it begins", async (each) => {
    for (const page of Object.values(pages)) {
      for (const validation of ["strict", "warn", "off"] as const) {
        const { error, sent } = await endOf(each, page, validation);
        expect(error).toMatchObject({
          name: "ResponseValidationError",
          outcome: "unknown",
          problems: [{ path: "", message: "it is a web page" }],
        });
        expect(String(error)).not.toContain("canary");
        expect(sent).toBe(1);
      }
    }
  });

  test.for(rows.filter(({ row }) => !row.open && kindOf(row.result) !== "text"))(
    "$call rejects a sentence in place of a record",
    async (each) => {
      const { error, sent } = await endOf(each, "Please sign in.", "strict");
      // The response to a created flow may be only a sentence (observed).
      expect(error instanceof ResponseValidationError).toBe(each.call !== "flows.create");
      expect(sent).toBe(1);
    },
  );

  test.for(rows.filter(({ row }) => row.open && row.route.startsWith("GET ")))(
    "$call rejects a sentence even if the contract does not define the record",
    async (each) => {
      const { error } = await endOf(each, "Please sign in.", "strict");
      expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "applied" });
    },
  );

  test.for(rows.filter((each) => each.row.sample.output !== undefined && !isOpenText(each)))(
    "$call rejects bytes that are not UTF-8, and does not replace them",
    async (each) => {
      for (const validation of ["strict", "warn", "off"] as const) {
        const { error } = await endOf(each, damagedSample(each), validation);
        expect(error).toMatchObject({
          name: "ResponseValidationError",
          outcome: "applied",
          problems: [{ path: "", message: "is not UTF-8" }],
        });
      }
    },
  );

  test.for(rows.filter(({ row }) => typeof row.sample.output === "object"))(
    "$call omits a field __proto__ of a response",
    async (each) => {
      for (const validation of ["strict", "off"] as const) {
        const body = poisoned(each.row.sample.output);
        const { output } = await endOf(each, body, validation);
        expect(objectsIn(output).length).toBeGreaterThan(0);
        expectClean(output);
      }
    },
  );
}
