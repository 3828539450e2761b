import { describe, expect, test } from "vitest";
import { readNetworkFailure } from "./network-failure.ts";

const coded = (code: unknown, more: object = {}): Error =>
  Object.assign(new Error("canary"), { code, ...more });
/** The error that Node's fetch throws. */
const fetchFailed = (cause: unknown): TypeError => new TypeError("fetch failed", { cause });

const NOT_FOUND = "the host was not found";
const NOT_CONNECTED = "no connection could be made";
const NOT_TRUSTED = "the server's certificate or TLS was not accepted";
const TOO_MANY = "too many connections are open at once";
const NOT_HTTPS = "the server speaks http instead of https";
const BROKEN = "the connection broke before the response was complete";

describe.each([
  ["the error", (cause: Error) => cause],
  ["its cause", fetchFailed],
  ["the cause of its cause", (cause: Error) => fetchFailed(fetchFailed(cause))],
])("a code of %s", (_where, wrap) => {
  test.each([
    [NOT_FOUND, false, "ENOTFOUND EAI_AGAIN EAI_NODATA EDNS EDNSQUERY"],
    [
      NOT_CONNECTED,
      false,
      "ECONNREFUSED EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT ConnectionRefused FailedToOpenSocket",
    ],
    [
      NOT_TRUSTED,
      true,
      "CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_TLSV1_UNRECOGNIZED_NAME",
    ],
    [TOO_MANY, false, "EADDRNOTAVAIL"],
    [NOT_HTTPS, true, "ERR_SSL_WRONG_VERSION_NUMBER"],
  ])("proves that nothing was sent: %s", (happened, final, codes) => {
    for (const code of codes.split(" "))
      expect(readNetworkFailure(wrap(coded(code)))).toMatchObject({
        code,
        outcome: "not_sent",
        happened,
        final,
      });
  });

  test.each(["EMFILE", "ENFILE"])("%s of a connection: too many at once", (code) => {
    for (const syscall of ["connect", "getaddrinfo", "socket"])
      expect(readNetworkFailure(wrap(coded(code, { syscall })))).toMatchObject({
        code,
        outcome: "not_sent",
        happened: TOO_MANY,
        advice: expect.stringMatching(/fewer calls at once.*ulimit -n/) as string,
      });
    // A file that the function fetch of a user opens, before or after its request.
    expect(readNetworkFailure(wrap(coded(code, { syscall: "open" }))).outcome).toBe("unknown");
  });

  test.each(
    "ECONNRESET EPIPE ETIMEDOUT UND_ERR_SOCKET UND_ERR_HEADERS_TIMEOUT XENOTFOUND ENOTFOUNDX XEAI_AGAIN XECONNREFUSED ECONNREFUSEDX XConnectionRefused EPROTO".split(
      " ",
    ),
  )("%s leaves open whether the request arrived", (code) => {
    expect(readNetworkFailure(wrap(coded(code)))).toEqual({
      code,
      outcome: "unknown",
      happened: BROKEN,
      final: false,
    });
  });
});

test.each([
  "econnrefused",
  "https://canary",
  "E",
  `E${"X".repeat(60)}`,
  "-ENOTFOUND",
  "ERR_SSL_SSL/canary",
  7,
  undefined,
  { toString: () => "ENOTFOUND" },
])("a code in an unknown format, %o, is not shown and leaves the outcome unknown", (code) => {
  expect(readNetworkFailure(coded(code))).toEqual({
    code: "NETWORK_ERROR",
    outcome: "unknown",
    happened: BROKEN,
    final: false,
  });
});

test.each([undefined, null, "ENOTFOUND", 7, {}, { code: "ENOTFOUND" }, []])(
  "%o is not an error, and leaves the outcome unknown",
  (thrown) => {
    for (const error of [thrown, fetchFailed(thrown)])
      expect(readNetworkFailure(error)).toMatchObject({
        code: "NETWORK_ERROR",
        outcome: "unknown",
        happened: BROKEN,
      });
  },
);

test("the failure names the innermost code", () => {
  const cause = coded("ECONNREFUSED");
  expect(readNetworkFailure(Object.assign(fetchFailed(cause), { code: "E_OUTER" }))).toMatchObject({
    code: "ECONNREFUSED",
    // The outer code may have any cause.
    outcome: "unknown",
  });
});

test("a call that failed in connect was not sent, with any code", () => {
  expect(readNetworkFailure(coded("ETIMEDOUT", { syscall: "connect" }))).toMatchObject({
    outcome: "not_sent",
    happened: NOT_CONNECTED,
  });
  expect(readNetworkFailure(coded("ETIMEDOUT", { syscall: "read" })).outcome).toBe("unknown");
  expect(readNetworkFailure(coded(undefined, { syscall: "connect" })).outcome).toBe("unknown");
});

test("a request was not sent if the server hung up during the handshake", () => {
  const host = "a.test";
  expect(readNetworkFailure(coded("ECONNRESET", { host })).outcome).toBe("not_sent");
  expect(readNetworkFailure(coded("ECONNRESET", { host, syscall: "read" })).outcome).toBe(
    "unknown",
  );
  expect(readNetworkFailure(coded("EPIPE", { host })).outcome).toBe("unknown");
  expect(readNetworkFailure(coded("ECONNRESET", { host: 7 })).outcome).toBe("unknown");
});

test("for a host with several addresses, the errors of the addresses decide, not the AggregateError", () => {
  const outcomeOf = (...errors: Error[]) =>
    readNetworkFailure(fetchFailed(Object.assign(new AggregateError(errors), { code: "EX" })));
  expect(outcomeOf(coded("ENOTFOUND"), coded("EAI_AGAIN")).happened).toBe(NOT_FOUND);
  expect(outcomeOf(coded("ENOTFOUND"), coded("ECONNREFUSED"))).toMatchObject({
    code: "ENOTFOUND",
    outcome: "not_sent",
    happened: NOT_CONNECTED,
  });
  expect(outcomeOf(coded("ECONNREFUSED"), coded("EPIPE")).outcome).toBe("unknown");
  expect(outcomeOf()).toMatchObject({ code: "NETWORK_ERROR", outcome: "unknown" });
});

test("the message of EPROTO decides, because its code is ambiguous", () => {
  const say = (message: string) => readNetworkFailure(Object.assign(coded("EPROTO"), { message }));
  expect(
    say("write EPROTO 00:error:0A00010B:SSL routines:ssl3_get_record:wrong version number"),
  ).toMatchObject({ outcome: "not_sent", happened: NOT_HTTPS, final: true });
  for (const text of [
    "tlsv1 alert handshake failure",
    "unsupported protocol",
    "alert protocol version",
    "tlsv1 unrecognized name",
  ])
    expect(say(text)).toMatchObject({ outcome: "not_sent", happened: NOT_TRUSTED, final: true });
  expect(say("bad record mac").outcome).toBe("unknown");
  expect(
    readNetworkFailure(Object.assign(coded("EPIPE"), { message: "wrong version number" })).outcome,
  ).toBe("unknown");
});

test("a blocked port is recognized by its message", () => {
  for (const text of ["bad port", "fetch failed: bad port", "bad port 1"])
    for (const error of [new Error(text), fetchFailed(new Error(text))])
      expect(readNetworkFailure(error)).toEqual({
        code: "NETWORK_ERROR",
        outcome: "not_sent",
        happened: "fetch does not connect to this port",
        final: true,
      });
  for (const text of ["xbad port", "bad ports", "badport"])
    expect(readNetworkFailure(fetchFailed(new Error(text))).outcome).toBe("unknown");
});

test("a message that is not a string is skipped, and a circular chain of causes ends", () => {
  const error = Object.assign(coded("ECONNREFUSED"), { message: { toString: () => "bad port" } });
  expect(readNetworkFailure(error).happened).toBe(NOT_CONNECTED);
  expect(readNetworkFailure(Object.assign(error, { code: "EPIPE" })).outcome).toBe("unknown");
  const loop = new Error("no");
  loop.cause = loop;
  expect(readNetworkFailure(loop)).toMatchObject({ code: "NETWORK_ERROR", outcome: "unknown" });
  const many = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  many.errors = [many];
  expect(readNetworkFailure(many)).toMatchObject({ code: "NETWORK_ERROR", outcome: "unknown" });
  const wrap = (depth: number): unknown =>
    depth === 0 ? coded("ECONNREFUSED") : fetchFailed(wrap(depth - 1));
  expect(readNetworkFailure(wrap(5)).outcome).toBe("not_sent");
  expect(readNetworkFailure(wrap(6)).outcome).toBe("unknown");
});
