/** A mutant that no test can catch, because the program behaves the same with it: a part of a line, what the mutant has instead (or `undefined` for each mutant of the line), and the reason. */
export type Equivalent = readonly [part: string, instead: string | undefined, reason: string];

/**
 * Equivalent mutants of lines on which tests catch others of the same kind. A comment in the code, `Stryker disable next-line`, would
 * leave out those too. They do not count. A row whose part no longer exists makes the command fail, so that this list stays true.
 */
export const equivalents: Readonly<Record<string, readonly Equivalent[]>> = {
  "packages/core/src/database/drivers/redis.ts": [
    [
      '([name = "",',
      '([name = "Stryker was here!",',
      "A command has a name; the default is for the compiler.",
    ],
  ],
  "packages/core/src/json.ts": [
    [
      "const BEFORE_INTEGER =",
      undefined,
      "It tests one character, so that its anchors change nothing.",
    ],
    [
      "if (probe + 1 - start >= SHORTEST",
      undefined,
      "Decides only between a quick way and a thorough one with the same result.",
    ],
    [
      "- 1; probe < text.length",
      "- 1; probe <= text.length",
      "Behind the end of the text there is no digit.",
    ],
    [
      "!isDigit(text, probe)",
      "false",
      "Finds more runs, so that it chooses the thorough way more often.",
    ],
    [
      '|| (text.includes("\\\\u00") && ESCAPED_LETTER.test(text)',
      '|| (text.includes("\\\\u00") || ESCAPED_LETTER.test(text)',
      "Chooses the thorough way more often.",
    ],
    ['"\\\\u00"', '""', "The expression decides; what is before it is only quicker."],
  ],
  "packages/core/src/schema/lenient.ts": [
    ["names.size === 0", "false", "Without names, the longer way hides nothing either."],
    ["transform === undefined", "false", "The call of nothing throws, which has the same end."],
    ["issues: []", 'issues: ["Stryker was here"]', "No transformation reads earlier issues."],
  ],
  "packages/core/src/schema/redact.ts": [
    [
      "key] ?? []].flat(",
      'key] ?? ["Stryker was here"]].flat(',
      "A named field has a schema; the default is for the compiler.",
    ],
    [
      'else if (typeof value === "object" && value',
      "else if (true && value",
      "The values of a flag, a symbol or a function are none.",
    ],
  ],
  "packages/core/src/schema/decodings.ts": [
    [
      "index < bytes.length",
      "index <= bytes.length",
      "A write behind the end of a typed array is ignored.",
    ],
    [
      "const PLAIN =",
      undefined,
      "Decides only between a quick way and a thorough one with the same result.",
    ],
    ["hexText.test(bare)", "true", "Decodes what cannot hold a secret, and finds none in it."],
    [
      "!DIGITS.test(run) && base64Text.test(run)",
      "true",
      "Decodes what cannot hold a secret, and finds none in it.",
    ],
  ],
  "packages/core/src/schema/secret-check.ts": [
    [
      "for (let index = at; index < at + SEED",
      undefined,
      "Whatever number a place has, it says only where to look; a part has the same one in each string.",
    ],
    ["text.length < shortest", "false", "Looks through a text that is too short to hold anything."],
    [
      "form.length > LONG",
      "false",
      "Keeps more parts of a secret of a megabyte, which costs only time and memory.",
    ],
  ],
  "packages/core/src/nearest.ts": [
    ["j < b.length", "j <= b.length", "The column behind the last one is never read."],
    [">=", ">", "Decides only between a quick way and a thorough one with the same result."],
    [
      "Math.abs(mistyped.length - candidate.length) >= fewest",
      "false",
      "Decides only between a quick way and a thorough one with the same result.",
    ],
  ],
  "packages/console-client/src/bulk/logbook.ts": [
    ["error === undefined", "false", "A problem that is kept has both."],
    ["status === undefined", "false", "A problem that is kept has both."],
    ["undefined || error ===", "undefined && error ===", "A problem that is kept has both."],
  ],
  "packages/http/src/errors/api-error.ts": [
    ["status >= 300", "true", "A status below 300 is no error."],
  ],
  "packages/http/src/errors/problem.ts": [
    ['= "trusted",', '= "",', "Only the other value, hidden, is compared."],
  ],
  "packages/http/src/options/logger.ts": [
    [
      "!isApiError(error)",
      "false",
      "An error without a status is no rejection; the condition is for the compiler.",
    ],
  ],
  "packages/http/src/pager/reader.ts": [
    [
      "signal?.reason",
      "signal.reason",
      "Only the signal calls it; the condition is for the compiler.",
    ],
  ],
  "packages/http/src/request/any-request.ts": [
    ["return [];", 'return ["Stryker was here"];', "A request with a problem is never written."],
  ],
  "packages/http/src/wire/deadline.ts": [
    [
      "ended?.abort(signal?.reason)",
      "ended.abort(signal?.reason)",
      "The listener is added after it is set; the condition is for the compiler.",
    ],
    [
      "ended?.abort(signal?.reason)",
      "ended?.abort(signal.reason)",
      "Only the signal calls it; the condition is for the compiler.",
    ],
  ],
  "packages/http/src/wire/split-array.ts": [
    [
      "if (text.length > maxBytes) return true;",
      "if (false) return true;",
      "Decides only between a quick way and a thorough one with the same result.",
    ],
    [
      "text.length * 3 > maxBytes &&",
      "true &&",
      "Decides only between a quick way and a thorough one with the same result.",
    ],
  ],
  "packages/http/src/limit/queue.ts": [
    ["0 || at >= wakesAt", "0 || at > wakesAt", "Sets the same alarm again."],
  ],
  "packages/http/src/limit/headers-rule.ts": [
    [
      "undefined || now >= said.endsAt",
      "undefined || now > said.endsAt",
      "At the end, nothing of the window is left to spread over.",
    ],
  ],
  "packages/http/src/limit/sent-count.ts": [
    ["current > LENGTH)", "current >= LENGTH)", "Of equal numbers, one replaces the other."],
  ],
  "packages/http/src/wire/url.ts": [
    [
      'if (!segment.startsWith(":")) return;',
      undefined,
      "A word of the path gets an entry too, which no parameter asks for.",
    ],
    [
      '= ""]',
      '= "Stryker was here!"]',
      "Splitting gives one part at least; the default is for the compiler.",
    ],
    [
      "catch {",
      "catch {}",
      "Decodes the same broken text again until the limit, and returns the same.",
    ],
  ],
  "packages/http/src/send/failure.ts": [
    [
      '"attempt failed"',
      '""',
      "It carries a failure to the end of the call, which makes the error that a caller receives.",
    ],
    [
      'failure.kind === "aborted"',
      "true",
      "Only an aborted attempt has it; the condition is for the compiler.",
    ],
  ],
  "packages/http/src/wire/network-failure.ts": [
    [
      "return code !== undefined && NOT_FOUND.test(code",
      "return true && NOT_FOUND.test(code",
      "The text undefined is no such code.",
    ],
    ["(code !== undefined", "(true", "The text undefined is no such code."],
    ['""', '"Stryker was here!"', "Nothing is looked for that this text holds."],
  ],
  "packages/http/src/send/retry-policy.ts": [
    [
      'case "timeout":',
      'case "timeout":',
      "The case behind it, of a broken network, decides the same.",
    ],
  ],
  "packages/http/src/pager/place.ts": [
    [
      "current !== undefined",
      "true",
      "Nothing is given before the first page; the condition is for the compiler.",
    ],
  ],
  "packages/http/src/pager/iterate.ts": [
    [
      "(pending === undefined && !isClosed && signal?.aborted !== true",
      "(false",
      "Decides only between a quick way and a thorough one with the same result.",
    ],
    [
      "true) {",
      "true) {}",
      "Decides only between a quick way and a thorough one with the same result.",
    ],
    [
      "pending === settled",
      "false",
      "What is not forgotten makes the next call take the thorough way, with the same result.",
    ],
  ],
  "packages/http/src/send/observe.ts": [
    [
      "Object.keys(added).length === 0",
      "false",
      "Sends a copy of the headers to which nothing was added.",
    ],
  ],
  "packages/mapper-client/src/check.ts": [
    [
      'typeof value === "number"',
      "true",
      "Only a number is finite; the condition is for the reader.",
    ],
    [
      'typeof time !== "number"',
      "false",
      "Only a number is an integer; the condition is for the compiler.",
    ],
  ],
  "packages/mapper-client/src/from-network-server.ts": [
    [
      'typeof number !== "number"',
      "false",
      "Only a number is finite; the condition is for the compiler.",
    ],
  ],
  "packages/mobile-client/src/key-mode.ts": [
    ['""', '"Stryker was here!"', "Neither has the prefix of a key."],
  ],
  "packages/webhook-types/src/parse/parse-event.ts": [
    ['typeof type === "string"', "true", "What is no string names no type either."],
  ],
  "packages/webhook-types/src/verify/create-verifier.ts": [
    ["age > 0 ?", "age >= 0 ?", "An age of 0 is within every tolerance, and has returned before."],
  ],
  "packages/webhook-types/src/verify/mac-web.ts": [
    [
      "[]",
      '["Stryker was here"]',
      "A signature without any pair of digits is wrong, whether it is decoded or not.",
    ],
    ["catch {", "catch {}", "A function that ends without return returns undefined."],
  ],
  "packages/sandbox/src/engine/console/uplinks/uplinks.ts": [
    [
      "device.next_uplink > now",
      "false",
      "Before its time nothing of a device is due; the condition saves the sum.",
    ],
  ],
  "packages/sandbox/src/engine/faults/fault-script.ts": [
    ['each.kind === "stale"', "true", "Keeps the past for faults that never show it."],
  ],
  "packages/sandbox/src/engine/serve/is-json.ts": [
    [
      '"content-type") ?? "").split(";");',
      '"content-type") ?? "Stryker was here!").split(";");',
      "Neither is JSON.",
    ],
  ],
  "packages/sandbox/src/engine/webhooks/delivery.ts": [
    [
      '"").replace(/^t=\\d+,/, "")',
      '"").replace(/t=\\d+,/, "")',
      "The signature behind the time has hexadecimal digits only.",
    ],
  ],
  "packages/sandbox/src/server/last-sandbox.ts": [
    [
      "!found.isDirectory()",
      "false",
      "On Linux a link is open to all, and in a file there is none: neither is used anyway.",
    ],
  ],
  "packages/sandbox/src/server/node-listener.ts": [
    ["!signal.aborted", "true", "What is written to a connection that has ended goes nowhere."],
  ],
  "packages/webhook-types/src/adapters/node.ts": [
    ["isComplete = true;", undefined, "Only saves an error that nobody would see."],
    ["if (!isComplete) reject(", "true", "Only saves an error that nobody would see."],
  ],
  "packages/webhook-types/src/events/schemas/psim-order.ts": [
    ["resource({", "resource({})", "A redacted event hides what is not declared, too."],
  ],
  "packages/webhook-types/src/mirror/collect-events.ts": [
    ['?? "") < time)', '?? "") <= time)', "Writes the same time again."],
  ],
  "packages/webhook-types/src/mirror/create-mirror.ts": [
    ["const kept = [];", undefined, "What is no version has no time, so that it is left out."],
  ],
  "packages/webhook-types/src/parse/event-parse-error.ts": [
    [
      "${first?.message}",
      "${first.message}",
      "It has a problem; the condition is for the compiler.",
    ],
  ],
  "packages/webhook-types/src/mirror/fold.ts": [
    [
      "after.get(each) ?? []",
      undefined,
      "Each version is in the map; the default is for the compiler.",
    ],
    [
      "after.get(each)?.length",
      "after.get(each).length",
      "The map has each of them as a key; the condition is for the compiler.",
    ],
  ],
  "packages/webhook-types/src/receiver/tenants.ts": [
    [
      'method = ""',
      'method = "Stryker was here!"',
      "Only a POST is read; the default is for the compiler.",
    ],
  ],
};
