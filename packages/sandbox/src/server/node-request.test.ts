import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { toRequest } from "./node-request.ts";

// How a message becomes a request. `node-listener.test.ts` sends messages over sockets.

function requestOf(
  message: { readonly method?: string; readonly url?: string; readonly rawHeaders?: string[] } = {},
): Request {
  const req = Object.assign(new IncomingMessage(new Socket()), {
    method: "GET",
    url: "/",
    rawHeaders: ["Host", "a.test"],
    ...message,
  });
  return toRequest(req, new ServerResponse(req), new AbortController().signal);
}

test.each([
  ["/", "a.test", "http://a.test/"],
  ["/a%2Fb/?q=%20x", "a.test:81", "http://a.test:81/a%2Fb/?q=%20x"],
  ["//elsewhere/x", "a.test", "http://a.test//elsewhere/x"],
  ["/x", "", "http://localhost/x"],
  ["/x", "[::1]:81", "http://[::1]:81/x"],
  ["http://b.test/x", "a.test", "http://b.test/x"],
  ["HTTPS://b.test/x", "a.test", "https://b.test/x"],
])("the target %s at the host %s is %s", (url, host, expected) => {
  expect(requestOf({ url, rawHeaders: ["Host", host] }).url).toBe(expected);
});

test("without a Host header, the host is localhost", () => {
  expect(requestOf({ url: "/x", rawHeaders: [] }).url).toBe("http://localhost/x");
});

test.each(["a b", "a\tb", "a/b", "a\\b", "a?b", "a#b", "u@a", "a, b", "/", "@"])(
  "the host %j is malformed",
  (host) => {
    expect(() => requestOf({ rawHeaders: ["Host", host] })).toThrow(
      new TypeError("Malformed Host header"),
    );
  },
);

test.each(["", "x", "*", "x/y", "ftp://a/", "xhttp://a/", "http:/a", "http:a"])(
  "the target %j is malformed",
  (url) => {
    expect(() => requestOf({ url })).toThrow(new TypeError("Malformed request target"));
  },
);

test.each<[string, string[], boolean]>([
  ["POST", ["Content-Length", "5"], true],
  ["DELETE", ["Content-Length", "5"], true],
  ["POST", ["Transfer-Encoding", "chunked"], true],
  ["POST", ["Content-Length", "0", "Transfer-Encoding", "chunked"], true],
  ["POST", ["Content-Length", "0"], false],
  ["POST", [], false],
  ["GET", ["Content-Length", "5"], false],
  ["HEAD", ["Transfer-Encoding", "chunked"], false],
])("%s with the headers %j has a body: %s", (method, rawHeaders, hasBody) => {
  const { body } = requestOf({ method, rawHeaders });
  expect(body !== null).toBe(hasBody);
});

test("every header is kept, in any case of letters, and one that is repeated is joined", () => {
  const rawHeaders = ["Host", "a.test", "X-One", "1", "x-one", "2", "Key", "k"];
  expect(Object.fromEntries(requestOf({ rawHeaders }).headers)).toEqual({
    host: "a.test",
    "x-one": "1, 2",
    key: "k",
  });
});
