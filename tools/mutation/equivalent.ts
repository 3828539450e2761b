/** A mutant that no test can catch, because the program behaves the same with it. */
export interface Equivalent {
  readonly file: string;
  /** The line of the source, without its indentation. */
  readonly line: string;
  /** The line as the mutant has it, without its indentation; every mutant of the line where it is left out. */
  readonly mutant?: string;
  readonly reason: string;
}

/** They do not count. A row whose line is gone makes the command fail, so that this list stays true. */
export const equivalents: readonly Equivalent[] = [
  {
    file: "packages/core/src/json.ts",
    line: "if (probe + 1 - start >= SHORTEST && BEFORE_INTEGER.test(text.charAt(start - 1))) return true;",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/core/src/json.ts",
    line: "const BEFORE_INTEGER = /^[\\s:,[-]?$/;",
    reason: "It tests one character, so that its anchors change nothing.",
  },
  {
    file: "packages/core/src/json.ts",
    line: "for (let probe = SHORTEST - 1; probe < text.length; probe += SHORTEST) {",
    mutant: "for (let probe = SHORTEST - 1; probe <= text.length; probe += SHORTEST) {",
    reason: "Behind the end of the text there is no digit.",
  },
  {
    file: "packages/core/src/json.ts",
    line: "if (!isDigit(text, probe)) continue;",
    mutant: "if (false) continue;",
    reason: "Finds more runs, so that it chooses the thorough way more often.",
  },
  {
    file: "packages/core/src/json.ts",
    line: 'return text.includes("__proto__") || (text.includes("\\\\u00") && ESCAPED_LETTER.test(text));',
    mutant:
      'return text.includes("__proto__") || (text.includes("\\\\u00") || ESCAPED_LETTER.test(text));',
    reason: "Chooses the thorough way more often.",
  },
  {
    file: "packages/core/src/json.ts",
    line: 'return text.includes("__proto__") || (text.includes("\\\\u00") && ESCAPED_LETTER.test(text));',
    mutant:
      'return text.includes("__proto__") || (text.includes("") && ESCAPED_LETTER.test(text));',
    reason: "The expression decides; what is before it is only quicker.",
  },
  {
    file: "packages/core/src/schema/redact.ts",
    line: "if (isNamed(kind, key)) return [(def as z.core.$ZodObjectDef).shape[key] ?? []].flat();",
    mutant:
      'if (isNamed(kind, key)) return [(def as z.core.$ZodObjectDef).shape[key] ?? ["Stryker was here"]].flat();',
    reason: "A named field has a schema; the default is for the compiler.",
  },
  {
    file: "packages/core/src/schema/redact.ts",
    line: "if (sensitivityOf(schema) !== undefined) return { isSensitive: true, kinds: [] };",
    mutant:
      'if (sensitivityOf(schema) !== undefined) return { isSensitive: true, kinds: ["Stryker was here"] };',
    reason: "The kinds of what is sensitive are never looked at.",
  },
  {
    file: "packages/core/src/schema/redact.ts",
    line: 'else if (typeof value === "object" && value !== null)',
    mutant: "else if (true && value !== null)",
    reason: "The values of a flag, a symbol or a function are none.",
  },
  {
    file: "packages/http/src/request/url.ts",
    line: 'const [route = "", fixedQuery] = template.split("?");',
    mutant: 'const [route = "Stryker was here!", fixedQuery] = template.split("?");',
    reason: "Splitting gives one part at least; the default is for the compiler.",
  },
  {
    file: "packages/http/src/request/url.ts",
    line: 'const [path = ""] = route.split("?");',
    mutant: 'const [path = "Stryker was here!"] = route.split("?");',
    reason: "Splitting gives one part at least; the default is for the compiler.",
  },
  {
    file: "packages/http/src/request/url.ts",
    line: "} catch {",
    mutant: "} catch {}",
    reason: "Decodes the same broken text again until the limit, and returns the same.",
  },
  {
    file: "packages/http/src/request/url.ts",
    line: 'if (!segment.startsWith(":")) return;',
    reason: "A word of the path gets an entry too, which no parameter asks for.",
  },
  {
    file: "packages/http/src/send/network-failure.ts",
    line: "return code !== undefined && NOT_FOUND.test(code);",
    mutant: "return true && NOT_FOUND.test(code);",
    reason: "The text undefined is no such code.",
  },
  {
    file: "packages/http/src/send/network-failure.ts",
    line: 'return inHandshake || syscall === "connect" || (code !== undefined && NOT_CONNECTED.test(code));',
    mutant: 'return inHandshake || syscall === "connect" || (true && NOT_CONNECTED.test(code));',
    reason: "The text undefined is no such code.",
  },
  {
    file: "packages/http/src/send/network-failure.ts",
    line: 'if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return [];',
    mutant:
      'if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return ["Stryker was here"];',
    reason: "A cause without code and message adds nothing.",
  },
  {
    file: "packages/http/src/send/network-failure.ts",
    line: 'message: typeof message === "string" ? message : "",',
    mutant: 'message: typeof message === "string" ? message : "Stryker was here!",',
    reason: "Nothing is looked for that this text holds.",
  },
  {
    file: "packages/http/src/send/pause.ts",
    line: "for (let now = performance.now(); now < returned; now = performance.now()) {",
    mutant: "for (let now = performance.now(); now <= returned; now = performance.now()) {",
    reason: "At that moment the wait of the loop is 0, and ends it.",
  },
  {
    file: "packages/http/src/send/pause.ts",
    line: "if (cause !== undefined && until - now >= timeLeft())",
    mutant: "if (true && until - now >= timeLeft())",
    reason: "What is waited for has a cause; the condition is for the compiler.",
  },
  {
    file: "packages/http/src/send/retry-after.ts",
    line: 'const value = headers.get("retry-after")?.trim() ?? "";',
    mutant: 'const value = headers.get("retry-after")?.trim() ?? "Stryker was here!";',
    reason: "Neither is a number or a date.",
  },
  {
    file: "packages/http/src/send/retry-after.ts",
    line: 'const sent = Date.parse(headers.get("date") ?? "");',
    mutant: 'const sent = Date.parse(headers.get("date") ?? "Stryker was here!");',
    reason: "Neither is a date.",
  },
  {
    file: "packages/http/src/send/retry-after.ts",
    line: 'const value = headers.get("ratelimit-reset")?.trim() ?? "";',
    mutant: 'const value = headers.get("ratelimit-reset")?.trim() ?? "Stryker was here!";',
    reason: "Neither is a number.",
  },
  {
    file: "packages/http/src/send/retry-policy.ts",
    line: 'case "timeout":',
    mutant: 'case "timeout":',
    reason: "The case behind it, of a broken network, decides the same.",
  },
  {
    file: "packages/http/src/pager/place.ts",
    line: "if (current !== undefined) current.offset += count;",
    mutant: "if (true) current.offset += count;",
    reason: "Nothing is given before the first page; the condition is for the compiler.",
  },
  {
    file: "packages/webhook-types/src/verify/create-verifier.ts",
    line: 'throw new WebhookVerificationError(age > 0 ? "timestamp_too_old" : "timestamp_too_new");',
    mutant:
      'throw new WebhookVerificationError(age >= 0 ? "timestamp_too_old" : "timestamp_too_new");',
    reason: "An age of 0 is within every tolerance, and has returned before.",
  },
  {
    file: "packages/webhook-types/src/verify/mac-web.ts",
    line: ": Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));",
    mutant:
      ': Uint8Array.from(signature.match(/../g) ?? ["Stryker was here"], (pair) => Number.parseInt(pair, 16));',
    reason: "A signature without any pair of digits is wrong, whether it is decoded or not.",
  },
  {
    file: "packages/webhook-types/src/verify/mac-web.ts",
    line: "} catch {",
    mutant: "} catch {}",
    reason: "A function that ends without return returns undefined.",
  },
  {
    file: "packages/webhook-types/src/verify/platform-scheme.ts",
    line: 'const [timestamp = ""] = times;',
    reason: "Any default that is not a time is malformed.",
  },
];
