/** A mutant that no test can catch, because the program behaves the same with it. */
export interface Equivalent {
  readonly file: string;
  /** The line of the source, without its indentation. */
  readonly line: string;
  /** The line of the mutant, without its indentation. If omitted, every mutant of the line. */
  readonly mutant?: string;
  readonly reason: string;
}

/** Lists of which only the names are read. Each has the value `true`, so that the compiler requires every name. */
const namesOnly: Readonly<Record<string, string>> = {
  "packages/console-client/src/bulk/bulk-settings.ts":
    "chunkSize concurrency settleTime priority signal timeout onProgress checkpoint onCheckpoint",
  "packages/http/src/options/settings.ts":
    "attempts baseDelay maxDelay onRequest onResponse onFailure",
  "packages/http/src/options/client-options.ts":
    "baseUrl fetch timeout totalTimeout retry rateLimit validation onDrift observedRules userAgent headers maxResponseBytes hooks logger allowInsecureHttp dangerouslyAllowBrowser",
  "packages/http/src/options/call-options.ts":
    "signal timeout totalTimeout retry priority validation headers schema",
  "packages/http/src/pager/pager-options.ts":
    "checkpoint prefetch maxItems maxPages maxEmptyPages onCursorExpired keepTrying anchorSize query repeatQuery",
  "packages/ledger-client/src/parallel/options.ts": "lanes order by checkpoint",
  "packages/mapper-client/src/uplink-receiver.ts": "authorization maxBytes decoded handler onError",
  "packages/mapper-client/src/forwarder.ts":
    "client authorization maxBytes build fields observedRules concurrency perMinute maxWaiting onReport clock",
  "packages/sandbox/src/engine/sandbox/check-options.ts":
    "seed clock faults latency logSize snapshot console ledger mapper mobile",
  "packages/webhook-types/src/receiver/handle-event.ts": "router store order lease clock poison",
  "packages/webhook-types/src/receiver/check-options.ts":
    "secret secrets scheme tolerance store order lease clock poison handlers parse validation onDrift expectLivemode maxBytes onOutcome logger onError",
  "packages/webhook-types/src/samples/test-context.ts": "idempotencyKey attempt delivery signal",
};

/** Lines with the values of an open enum, which only exist for the types: the schema accepts any string. */
const wordsOnly: Readonly<Record<string, readonly string[]>> = {
  "packages/webhook-types/src/events/schemas/billing.ts": [
    'status: openEnum("upcoming"),',
    'kind: guess(z.nullish(openEnum("referral"))),',
  ],
  "packages/webhook-types/src/events/schemas/connection.ts": [
    'status: guess(z.nullish(openEnum("active"))),',
    'status: guess(openEnum("active")),',
  ],
  "packages/webhook-types/src/events/schemas/cpni.ts": [
    'object: guess(openEnum("cpni_verification")),',
    'status: guess(z.nullish(openEnum("verified"))),',
    'object: openEnum("cpni_verification"),',
  ],
  "packages/webhook-types/src/events/schemas/port.ts": [
    '"wrong_account_number",',
    '"wrong_pin",',
    '"number_not_portable",',
    '"name_mismatch",',
    '"pending_port",',
  ],
  "packages/webhook-types/src/events/schemas/sim.ts": [
    'export const SimState = () => openEnum("provisioned", "active", "suspended", "deactivated");',
    'export const VideoQuality = () => openEnum("480p");',
  ],
  "packages/webhook-types/src/events/schemas/subscriber.ts": [
    'export const LockedStatus = () => openEnum("user_initiated_lock", "unlocked");',
  ],
  "packages/webhook-types/src/events/schemas/subscription.ts": [
    '"active",',
    '"paused",',
    '"past_due",',
    '"cancelled",',
    '"canceled",',
    '"terminated",',
    '"pending_activation",',
    '"draft",',
    'reason: guess(z.nullish(openEnum("requested", "scheduled", "port_out"))),',
  ],
};

/** Ids in tests of stores. Any id works, and its prefix is for readers. */
const idsOnly: Readonly<Record<string, string>> = {
  "packages/webhook-types/src/store-tests/inbox-tests.ts": 'const id = newId("evt");',
  "packages/webhook-types/src/store-tests/poison-tests.ts": 'const id = newId("evt");',
  "packages/webhook-types/src/store-tests/store-tests.ts": 'const id = newId("evt");',
  "packages/webhook-types/src/store-tests/order-tests.ts": 'const id = newId("plan");',
};

/** Equivalent mutants do not count. A row whose line no longer exists makes the command fail, so that this list stays true. */
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
    file: "packages/core/src/record.ts",
    line: "return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name];",
    mutant: "return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)[name];",
    reason: "Reading a member of null throws, which returns undefined too.",
  },
  {
    file: "packages/core/src/schema/decodings.ts",
    line: "const PLAIN = /^[\\x20-\\x7e]*$/;",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/core/src/schema/decodings.ts",
    line: "if (hexText.test(bare))",
    mutant: "if (true)",
    reason: "Decodes what cannot hold a secret, and finds none in it.",
  },
  {
    file: "packages/core/src/schema/decodings.ts",
    line: "if (!DIGITS.test(run) && base64Text.test(run))",
    mutant: "if (true)",
    reason: "Decodes what cannot hold a secret, and finds none in it.",
  },
  {
    file: "packages/core/src/schema/secret-check.ts",
    line: "for (let at = Math.max(0, seed - STRIDE + 1); at <= seed; at++)",
    mutant: "for (let at = Math.min(0, seed - STRIDE + 1); at <= seed; at++)",
    reason: "Looks at more places, where a part is one too.",
  },
  {
    file: "packages/core/src/schema/secret-check.ts",
    line: "if (text.length < shortest) return false;",
    mutant: "if (false) return false;",
    reason: "Looks through a text that is too short to hold anything.",
  },
  {
    file: "packages/core/src/schema/secret-check.ts",
    line: "let isAscii = true;",
    mutant: "let isAscii = false;",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/core/src/schema/secret-check.ts",
    line: "for (let index = at; index < at + SEED; index++) seed = (seed << 7) ^ text.charCodeAt(index);",
    reason:
      "Whatever number a place has, it says only where to look; a part has the same one in each string.",
  },
  {
    file: "packages/core/src/schema/secret-check.ts",
    line: "const step = form.length > LONG ? PART : 1;",
    mutant: "const step = false ? PART : 1;",
    reason: "Keeps more parts of a secret of a megabyte, which costs only time and memory.",
  },
  {
    file: "packages/core/src/schema/children.ts",
    line: "default:",
    mutant: "default:",
    reason: "A function that ends without return returns undefined; the other default is tested.",
  },
  {
    file: "packages/core/src/nearest.ts",
    line: "if (Math.abs(mistyped.length - candidate.length) >= fewest) continue;",
    mutant: "if (Math.abs(mistyped.length - candidate.length) > fewest) continue;",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/core/src/nearest.ts",
    line: "if (Math.abs(mistyped.length - candidate.length) >= fewest) continue;",
    mutant: "if (false) continue;",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/core/src/clock.ts",
    line: "reject(signal?.reason);",
    mutant: "reject(signal.reason);",
    reason: "Only a signal calls it; the question mark is for the compiler.",
  },
  {
    file: "packages/core/src/schema/lenient.ts",
    line: "const issues = z.safeDecode(limited(option), value as never).error?.issues ?? [];",
    mutant:
      'const issues = z.safeDecode(limited(option), value as never).error?.issues ?? ["Stryker was here"];',
    reason: "A value that fits a member fits the union, which has been tried before.",
  },
  {
    file: "packages/console-client/src/bulk/logbook.ts",
    line: "if (status === undefined || error === undefined) return [];",
    mutant: "if (status === undefined || false) return [];",
    reason: "A problem that is kept has both.",
  },
  {
    file: "packages/console-client/src/bulk/logbook.ts",
    line: "if (status === undefined || error === undefined) return [];",
    mutant: "if (false || error === undefined) return [];",
    reason: "A problem that is kept has both.",
  },
  {
    file: "packages/console-client/src/bulk/logbook.ts",
    line: "if (status === undefined || error === undefined) return [];",
    mutant: "if (status === undefined && error === undefined) return [];",
    reason: "A problem that is kept has both.",
  },
  {
    file: "packages/http/src/errors/api-error.ts",
    line: "if (status >= 300 && status < 400) {",
    mutant: "if (true && status < 400) {",
    reason: "A status below 300 is no error.",
  },
  {
    file: "packages/http/src/limit/queue.ts",
    line: 'signal.addEventListener("abort", onAbort, { once: true });',
    mutant: 'signal.addEventListener("abort", onAbort, {});',
    reason: "A signal aborts once.",
  },
  {
    file: "packages/http/src/limit/queue.ts",
    line: 'signal.addEventListener("abort", onAbort, { once: true });',
    mutant: 'signal.addEventListener("abort", onAbort, { once: false });',
    reason: "A signal aborts once.",
  },
  {
    file: "packages/http/src/limit/queue.ts",
    line: "if (milliseconds <= 0 || at >= wakesAt) return;",
    mutant: "if (milliseconds <= 0 || at > wakesAt) return;",
    reason: "Sets the same alarm again.",
  },
  {
    file: "packages/http/src/limit/headers-rule.ts",
    line: "said === undefined || now >= said.endsAt",
    mutant: "said === undefined || now > said.endsAt",
    reason: "At the end, nothing of the window is left to spread over.",
  },
  {
    file: "packages/http/src/limit/headers-rule.ts",
    line: 'const value = headers.get(name) ?? "";',
    mutant: 'const value = headers.get(name) ?? "Stryker was here!";',
    reason: "Neither is a number.",
  },
  {
    file: "packages/http/src/limit/sent-count.ts",
    line: "const counts = Array.from({ length: LENGTH }, () => 0);",
    mutant: "const counts = Array.from({}, () => 0);",
    reason: "What is not in the list counts as 0.",
  },
  {
    file: "packages/http/src/limit/sent-count.ts",
    line: "const counts = Array.from({ length: LENGTH }, () => 0);",
    mutant: "const counts = Array.from({ length: LENGTH }, () => undefined);",
    reason: "What is not in the list counts as 0.",
  },
  {
    file: "packages/http/src/limit/sent-count.ts",
    line: "if (target - current > LENGTH) current = target - LENGTH;",
    mutant: "if (target - current >= LENGTH) current = target - LENGTH;",
    reason: "Of equal numbers, one replaces the other.",
  },
  {
    file: "packages/http/src/wire/url.ts",
    line: 'const [path = ""] = route.split("?");',
    mutant: 'const [path = "Stryker was here!"] = route.split("?");',
    reason: "Splitting gives one part at least; the default is for the compiler.",
  },
  {
    file: "packages/http/src/wire/url.ts",
    line: "} catch {",
    mutant: "} catch {}",
    reason: "Decodes the same broken text again until the limit, and returns the same.",
  },
  {
    file: "packages/http/src/wire/url.ts",
    line: 'if (!segment.startsWith(":")) return;',
    reason: "A word of the path gets an entry too, which no parameter asks for.",
  },
  {
    file: "packages/http/src/request/secrets.ts",
    line: 'return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];',
    mutant:
      'return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : ["Stryker was here"];',
    reason: "A string without a URL adds nothing.",
  },
  {
    file: "packages/http/src/response/with-response.ts",
    line: 'const CALL = Symbol.for("@fieldmesh/call");',
    reason: "All copies of the package have the same name, whatever it is.",
  },
  {
    file: "packages/http/src/send/failure.ts",
    line: 'super("attempt failed");',
    reason:
      "It carries a failure to the end of the call, which makes the error that a caller receives.",
  },
  {
    file: "packages/http/src/wire/network-failure.ts",
    line: "return code !== undefined && NOT_FOUND.test(code);",
    mutant: "return true && NOT_FOUND.test(code);",
    reason: "The text undefined is no such code.",
  },
  {
    file: "packages/http/src/wire/network-failure.ts",
    line: 'return inHandshake || syscall === "connect" || (code !== undefined && NOT_CONNECTED.test(code));',
    mutant: 'return inHandshake || syscall === "connect" || (true && NOT_CONNECTED.test(code));',
    reason: "The text undefined is no such code.",
  },
  {
    file: "packages/http/src/wire/network-failure.ts",
    line: 'if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return [];',
    mutant:
      'if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return ["Stryker was here"];',
    reason: "A cause without code and message adds nothing.",
  },
  {
    file: "packages/http/src/wire/network-failure.ts",
    line: 'message: typeof message === "string" ? message : "",',
    mutant: 'message: typeof message === "string" ? message : "Stryker was here!",',
    reason: "Nothing is looked for that this text holds.",
  },
  {
    file: "packages/http/src/wire/hint.ts",
    line: 'const value = headers.get("retry-after")?.trim() ?? "";',
    mutant: 'const value = headers.get("retry-after")?.trim() ?? "Stryker was here!";',
    reason: "Neither is a number or a date.",
  },
  {
    file: "packages/http/src/wire/hint.ts",
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
    file: "packages/http/src/pager/iterate.ts",
    line: "if (pending === undefined && !isClosed && signal?.aborted !== true) {",
    mutant: "if (false) {",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/http/src/pager/iterate.ts",
    line: "if (pending === undefined && !isClosed && signal?.aborted !== true) {",
    mutant: "if (pending === undefined && !isClosed && signal?.aborted !== true) {}",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/http/src/pager/iterate.ts",
    line: "() => forget(),",
    reason:
      "What is not forgotten makes the next call take the thorough way, with the same result.",
  },
  {
    file: "packages/http/src/pager/iterate.ts",
    line: "const forget = (): void => {",
    reason:
      "What is not forgotten makes the next call take the thorough way, with the same result.",
  },
  {
    file: "packages/http/src/pager/iterate.ts",
    line: "if (pending === settled) pending = undefined;",
    mutant: "if (false) pending = undefined;",
    reason:
      "What is not forgotten makes the next call take the thorough way, with the same result.",
  },
  {
    file: "packages/http/src/pager/loop-check.ts",
    line: 'const [oldest = ""] = recent;',
    reason: "One was added just before; the default is for the compiler.",
  },
  {
    file: "packages/http/src/response/apply-schema.ts",
    line: 'const unnamed = [{ message: "" }];',
    mutant: "const unnamed = [{}];",
    reason: "No words of a caller's schema are shown.",
  },
  {
    file: "packages/http/src/response/apply-schema.ts",
    line: 'const unnamed = [{ message: "" }];',
    mutant: 'const unnamed = [{ message: "Stryker was here!" }];',
    reason: "No words of a caller's schema are shown.",
  },
  {
    file: "packages/http/src/options/drift.ts",
    line: 'const key = counts.size < MAX_PLACES || counts.has(place) ? place : "";',
    mutant:
      'const key = counts.size < MAX_PLACES || counts.has(place) ? place : "Stryker was here!";',
    reason: "Any name that no place has serves for those that share one.",
  },
  {
    file: "packages/http/src/send/failure.ts",
    line: 'if (failure.kind === "aborted" && failure.isUnsent === true) return "not_sent";',
    mutant: 'if (true && failure.isUnsent === true) return "not_sent";',
    reason: "Only an aborted attempt has it; the condition is for the compiler.",
  },
  {
    file: "packages/http/src/send/trace.ts",
    line: "if (Object.keys(added).length === 0) return send(call);",
    mutant: "if (false) return send(call);",
    reason: "Sends a copy of the headers to which nothing was added.",
  },
  {
    file: "packages/http/src/send/trace.ts",
    line: 'const [template = ""] = path.split("?");',
    reason: "Splitting gives one part at least; the default is for the compiler.",
  },
  {
    file: "packages/http/src/wire/deadline.ts",
    line: 'signal.addEventListener("abort", abort, { once: true });',
    mutant: 'signal.addEventListener("abort", abort, { once: false });',
    reason: "A signal aborts once.",
  },
  {
    file: "packages/mapper-client/src/check.ts",
    line: 'number: (value) => typeof value === "number" && Number.isFinite(value),',
    mutant: "number: (value) => true && Number.isFinite(value),",
    reason: "Only a number is finite; the condition is for the reader.",
  },
  {
    file: "packages/mapper-client/src/check.ts",
    line: 'if (typeof time !== "number" || !Number.isSafeInteger(time))',
    mutant: "if (false || !Number.isSafeInteger(time))",
    reason: "Only a number is an integer; the condition is for the compiler.",
  },
  {
    file: "packages/mapper-client/src/from-network-server.ts",
    line: 'if (typeof number !== "number" || !Number.isFinite(number) || Math.abs(number) > 180)',
    mutant: "if (false || !Number.isFinite(number) || Math.abs(number) > 180)",
    reason: "Only a number is finite; the condition is for the compiler.",
  },
  {
    file: "packages/mapper-client/src/gate.ts",
    line: "queue.shift()?.();",
    mutant: "queue.shift()();",
    reason: "The loop has found one in the queue; the condition is for the compiler.",
  },
  {
    file: "packages/mobile-client/src/key-mode.ts",
    line: 'return typeof apiKey === "string" ? apiKey : "";',
    mutant: 'return typeof apiKey === "string" ? apiKey : "Stryker was here!";',
    reason: "Neither has the prefix of a key.",
  },
  {
    file: "packages/webhook-types/src/parse/parse-event.ts",
    line: 'return typeof type === "string" ? type : "";',
    mutant: 'return true ? type : "";',
    reason: "What is no string names no type either.",
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
  {
    file: "packages/sandbox/src/engine/console/uplinks/uplinks.ts",
    line: "if (device.next_uplink > now) continue;",
    mutant: "if (false) continue;",
    reason: "Before its time nothing of a device is due; the condition saves the sum.",
  },
  {
    file: "packages/sandbox/src/engine/faults/fault-script.ts",
    line: 'return kinds.some((each) => typeof each === "object" && each.kind === "stale");',
    mutant: 'return kinds.some((each) => typeof each === "object" && true);',
    reason: "Keeps the past for faults that never show it.",
  },
  {
    file: "packages/sandbox/src/engine/serve/is-json.ts",
    line: 'const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");',
    mutant:
      'const [mediaType = ""] = (headers.get("content-type") ?? "Stryker was here!").split(";");',
    reason: "Neither is JSON.",
  },
  {
    file: "packages/sandbox/src/engine/webhooks/delivery.ts",
    line: 'const parts = all.map((headers) => (headers[name] ?? "").replace(/^t=\\d+,/, ""));',
    mutant: 'const parts = all.map((headers) => (headers[name] ?? "").replace(/t=\\d+,/, ""));',
    reason: "The signature behind the time has hexadecimal digits only.",
  },
  {
    file: "packages/sandbox/src/engine/webhooks/serve-webhooks.ts",
    line: "const response = { id, url, enabled_events, livemode, secret: secrets[0]?.reveal() };",
    mutant: "const response = { id, url, enabled_events, livemode, secret: secrets[0].reveal() };",
    reason: "An endpoint has a secret; the question mark is for the compiler.",
  },
  {
    file: "packages/sandbox/src/server/last-sandbox.ts",
    line: "if (!found.isDirectory()) return false;",
    mutant: "if (false) return false;",
    reason: "On Linux a link is open to all, and in a file there is none: neither is used anyway.",
  },
  {
    file: "packages/sandbox/src/server/node-listener.ts",
    line: "else if (!signal.aborted) sendStatus(res, 500);",
    mutant: "else if (true) sendStatus(res, 500);",
    reason: "What is written to a connection that has ended goes nowhere.",
  },
  ...Object.entries(namesOnly).flatMap(([file, names]) =>
    names.split(" ").map((name) => ({
      file,
      line: `${name}: true,`,
      mutant: `${name}: false,`,
      reason: "Only the name is read.",
    })),
  ),
  ...Object.entries(wordsOnly).flatMap(([file, lines]) =>
    lines.flatMap((line) =>
      [...line.matchAll(/"\w+"/g)].map(({ 0: word, index }) => ({
        file,
        line,
        mutant: `${line.slice(0, index)}""${line.slice(index + word.length)}`,
        reason: "The schema accepts any string.",
      })),
    ),
  ),
  ...Object.entries(idsOnly).map(([file, line]) => ({
    file,
    line,
    mutant: 'const id = newId("");',
    reason: "Any id is as good, and is made unique.",
  })),
];
