import { connectProxy } from "../parts/connect-proxy.ts";
import type { Respond } from "../parts/origin.ts";
import { haproxy, nginx } from "../parts/reverse-proxy.ts";
import type { Family, Row } from "../parts/row.ts";

/** Begins a response and resets the connection. */
const breaksOff: Respond = (_, response) => {
  response.writeHead(200, { "content-length": "100", "content-type": "application/json" });
  response.write('[{"id"');
  setTimeout(() => response.socket?.resetAndDestroy(), 20);
};
/** Never responds. */
const hangs: Respond = () => undefined;
/** Resets the connection after reading the request. */
const resets: Respond = ({ socket }) => socket.resetAndDestroy();

const PASS = "proxy_pass http://ORIGIN;";
const outage = (status: number, seen = 3): Pick<Row, "get" | "post"> => ({
  get: `ApiError ${status} unknown ×${seen}`,
  post: `ApiError ${status} unknown ×${Math.min(seen, 1)}`,
});
const broken: Pick<Row, "get" | "post"> = {
  get: "ConnectionError UND_ERR_SOCKET|ECONNRESET|TRUNCATED unknown ×3",
  post: "ConnectionError UND_ERR_SOCKET|ECONNRESET|TRUNCATED unknown ×1",
};
const works: Pick<Row, "get" | "post"> = { get: "ok ×1", post: "ok ×1" };
const rejected = (status: number): Pick<Row, "get" | "post"> => ({
  get: `ApiError ${status} rejected ×0`,
  post: `ApiError ${status} rejected ×0`,
});
const noTunnel = (code: string): Pick<Row, "get" | "post"> => ({
  get: `ConnectionError ${code} not_sent|unknown ×0`,
  post: `ConnectionError ${code} not_sent|unknown ×0`,
});
const NO_TUNNEL = "UND_ERR_*|ECONNRESET|EPIPE|NETWORK_ERROR|HPE_*";

const nginxRows: Row[] = [
  { fault: "nginx: no fault", world: nginx({ location: PASS }), ...works },
  {
    fault: "nginx: the server is down, 502",
    world: nginx({ location: "proxy_pass http://127.0.0.1:9;" }),
    ...outage(502, 0),
  },
  {
    fault: "nginx: the server does not respond in time, 504",
    world: nginx({ location: `proxy_read_timeout 1s; ${PASS}` }, hangs),
    ...outage(504),
  },
  {
    fault: "nginx: the server resets the connection, 502",
    world: nginx({ location: PASS }, resets),
    ...outage(502),
  },
  {
    fault: "nginx: the server resets the connection in the body",
    world: nginx({ location: PASS }, breaksOff),
    ...broken,
  },
  {
    fault: "nginx: a response header is too large, 502",
    world: nginx({ location: PASS }, (_, response) =>
      response.writeHead(200, { x: "a".repeat(9_000) }).end("[]"),
    ),
    ...outage(502),
  },
  {
    fault: "nginx: the request body is too large, 413",
    world: nginx({ location: `client_max_body_size 1; ${PASS}` }),
    get: "ok ×1",
    post: "ApiError 413 rejected ×0",
  },
  {
    fault: "nginx: the request headers are too large, 400",
    world: nginx({
      location: PASS,
      http: "large_client_header_buffers 2 1k; client_header_buffer_size 1k;",
    }),
    options: { headers: { "x-large": "a".repeat(4_000) } },
    ...rejected(400),
  },
  {
    fault: "nginx: too many requests, 429 without Retry-After",
    world: nginx({
      http: "limit_req_zone $server_name zone=z:1m rate=10r/s; limit_req_status 429;",
      location: `limit_req zone=z; ${PASS}`,
    }),
    warm: true,
    options: { retry: { baseDelay: 60, maxDelay: 100 } },
    ...works,
  },
  {
    fault: "nginx: the connection is closed without a response, 444",
    world: nginx({ location: "return 444;" }),
    get: "ConnectionError UND_ERR_SOCKET unknown ×0",
    post: "ConnectionError UND_ERR_SOCKET unknown ×0",
  },
  {
    fault: "nginx: access is denied with a web page, 403",
    world: nginx({ location: "return 403;" }),
    ...rejected(403),
  },
  {
    fault: "nginx: every path redirects to another host, 301",
    world: nginx({ location: "return 301 https://elsewhere.example$request_uri;" }),
    get: "ApiError 301 rejected ×0",
    post: "ApiError 301 unknown ×0",
  },
  {
    fault: "nginx: a web page instead of the API, 200",
    world: nginx({
      location: "default_type text/html; return 200 '<!doctype html><p>Welcome to nginx!';",
    }),
    get: "ResponseValidationError unknown ×0",
    post: "ResponseValidationError unknown ×0|×1",
  },
  {
    fault: "nginx: each connection serves one request",
    world: nginx({ http: "keepalive_requests 1;", location: PASS }),
    warm: true,
    ...works,
  },
  {
    fault: "nginx: the proxy compresses the response",
    world: nginx({
      http: "gzip on; gzip_types application/json; gzip_min_length 1; gzip_proxied any;",
      location: PASS,
    }),
    ...works,
  },
];

const haproxyRows: Row[] = [
  { fault: "haproxy: no fault", world: haproxy({}), ...works },
  { fault: "haproxy: there is no server, 503", world: haproxy({ back: "" }), ...outage(503, 0) },
  {
    fault: "haproxy: the server is down, 503",
    world: haproxy({ back: "retries 0\n  server s 127.0.0.1:9" }),
    ...outage(503, 0),
  },
  {
    fault: "haproxy: the server does not respond in time, 504",
    world: haproxy({ timeout: 1_000 }, hangs),
    ...outage(504),
  },
  {
    fault: "haproxy: the server resets the connection, 502",
    world: haproxy({ back: "retries 0\n  server s ORIGIN" }, resets),
    // A reset on a connection that it used before, haproxy passes on as a close: which of both it is, a busy machine decides.
    get: "ApiError 502 unknown ×3 or ConnectionError UND_ERR_SOCKET|ECONNRESET unknown ×3",
    post: "ApiError 502 unknown ×1 or ConnectionError UND_ERR_SOCKET|ECONNRESET unknown ×1",
  },
  {
    fault: "haproxy: the server resets the connection in the body",
    world: haproxy({}, breaksOff),
    ...broken,
  },
  {
    fault: "haproxy: the request is denied, 403",
    world: haproxy({ front: "http-request deny" }),
    ...rejected(403),
  },
  {
    fault: "haproxy: the request is held in a tarpit, 500",
    world: haproxy({ front: "timeout tarpit 50ms\n  http-request tarpit" }),
    ...outage(500, 0),
  },
  {
    fault: "haproxy: too many requests, 429 with Retry-After",
    world: haproxy({
      front:
        "stick-table type ip size 1k expire 300ms store http_req_cnt\n  http-request track-sc0 src\n  http-request return status 429 hdr retry-after 1 if { sc_http_req_cnt(0) eq 2 }",
    }),
    warm: true,
    ...works,
  },
  {
    fault: "haproxy: the connection is silently dropped",
    world: haproxy({ front: "http-request silent-drop" }),
    options: { timeout: 800 },
    get: "TimeoutError|ConnectionError timeout|UND_ERR_SOCKET|ECONNRESET unknown ×0",
    post: "TimeoutError|ConnectionError timeout|UND_ERR_SOCKET|ECONNRESET unknown ×0",
  },
];

const tunnels: Row[] = [
  { fault: "CONNECT: no fault", world: connectProxy((_, open) => open()), ...works },
  {
    fault: "CONNECT: the proxy requires a password, 407",
    world: connectProxy((client) =>
      client.end(
        "HTTP/1.1 407 Authenticate\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n",
      ),
    ),
    ...noTunnel(NO_TUNNEL),
  },
  {
    fault: "CONNECT: the proxy cannot reach the server, 502",
    world: connectProxy((client) =>
      client.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"),
    ),
    ...noTunnel(NO_TUNNEL),
  },
  {
    fault: "CONNECT: the proxy closes the connection",
    world: connectProxy((client) => client.end()),
    ...noTunnel(NO_TUNNEL),
  },
  {
    fault: "CONNECT: the proxy resets the connection",
    world: connectProxy((client) => client.resetAndDestroy()),
    ...noTunnel(NO_TUNNEL),
  },
  {
    fault: "CONNECT: the response of the proxy is not HTTP",
    world: connectProxy((client) => client.end("garbage\r\n\r\n")),
    ...noTunnel(NO_TUNNEL),
  },
  {
    fault: "CONNECT: the proxy never responds",
    world: connectProxy(() => undefined),
    options: { timeout: 800 },
    get: "TimeoutError timeout not_sent|unknown ×0",
    post: "TimeoutError timeout not_sent|unknown ×0",
  },
  {
    fault: "CONNECT: the tunnel ends in the TLS handshake",
    world: connectProxy((_, open) => open(), { onResponse: (client) => client.destroy() }),
    ...noTunnel(NO_TUNNEL),
  },
  {
    fault: "CONNECT: the tunnel breaks after the request is carried out",
    world: connectProxy((_, open) => open(), { respond: ({ socket }) => socket.destroy() }),
    ...broken,
  },
];

export const proxies: Family = {
  title: "Proxies",
  rows: [
    ...nginxRows.map((row): Row => ({ ...row, needs: "nginx" })),
    ...haproxyRows.map((row): Row => ({ ...row, needs: "haproxy" })),
    ...tunnels.map((row): Row => ({ ...row, nodeOnly: true })),
  ],
};
