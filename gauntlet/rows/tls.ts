import { certificate } from "../parts/certificates.ts";
import { notTls, tls } from "../parts/tls.ts";
import type { Family, Row } from "../parts/row.ts";

const DAY = 24 * 60 * 60 * 1000;
/** The first byte of a packet with a record that follows the handshake. */
const ENCRYPTED = 0x17;
const broken = "ConnectionError ECONNRESET|UND_ERR_SOCKET|EPIPE";

const rows: Row[] = [
  {
    fault: "no fault; the client trusts the certificate authority",
    world: tls({}),
    get: "ok ×1",
    post: "ok ×1",
  },
  {
    fault: "the client does not trust the issuer of the certificate",
    world: tls({ trusted: false }),
    get: "ConnectionError DEPTH_ZERO_SELF_SIGNED_CERT not_sent ×0",
    post: "ConnectionError DEPTH_ZERO_SELF_SIGNED_CERT not_sent ×0",
  },
  {
    fault: "the certificate has expired",
    world: tls({ certificate: () => certificate({ from: -2 * DAY, to: -DAY }) }),
    get: "ConnectionError CERT_HAS_EXPIRED not_sent ×0",
    post: "ConnectionError CERT_HAS_EXPIRED not_sent ×0",
  },
  {
    fault: "the certificate is not valid yet",
    world: tls({ certificate: () => certificate({ from: DAY, to: 2 * DAY }) }),
    get: "ConnectionError CERT_NOT_YET_VALID not_sent ×0",
    post: "ConnectionError CERT_NOT_YET_VALID not_sent ×0",
  },
  {
    fault: "the certificate is for another host name",
    world: tls({ certificate: () => certificate({ name: "console.example.com" }) }),
    get: "ConnectionError ERR_TLS_CERT_ALTNAME_INVALID not_sent ×0",
    post: "ConnectionError ERR_TLS_CERT_ALTNAME_INVALID not_sent ×0",
  },
  {
    fault: "the server requires a client certificate",
    world: tls({ options: { requestCert: true, rejectUnauthorized: true } }),
    get: "ConnectionError ERR_SSL_*|ECONNRESET|UND_ERR_SOCKET|EPIPE not_sent|unknown ×0",
    post: "ConnectionError ERR_SSL_*|ECONNRESET|UND_ERR_SOCKET|EPIPE not_sent|unknown ×0",
  },
  {
    fault: "the server supports only old versions of TLS",
    world: tls({
      options: { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
    }),
    get: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
    post: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
  },
  {
    fault: "the server has no cipher in common with the client",
    world: tls({ options: { maxVersion: "TLSv1.2", ciphers: "PSK-AES128-CBC-SHA" } }),
    get: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
    post: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
  },
  {
    fault: "the server on the port speaks HTTP, not TLS",
    world: notTls((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad\r\n\r\n"))),
    get: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
    post: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
  },
  {
    fault: "the connection is reset in the handshake",
    world: notTls((socket) => socket.once("data", () => socket.resetAndDestroy())),
    get: `${broken} not_sent|unknown ×0`,
    post: `${broken} not_sent|unknown ×0`,
  },
  {
    fault: "the connection is closed in the handshake",
    world: notTls((socket) => socket.once("data", () => socket.end())),
    get: `${broken} not_sent ×0`,
    post: `${broken} not_sent ×0`,
  },
  {
    fault: "the handshake never ends",
    world: notTls((socket) => socket.resume()),
    options: { timeout: 800 },
    get: "TimeoutError timeout unknown ×0",
    post: "TimeoutError timeout unknown ×0",
  },
  {
    fault: "the handshake is random bytes",
    world: notTls((socket, { chance }) =>
      socket.once("data", () =>
        socket.end(Buffer.from(Array.from({ length: 99 }, () => chance.int(128, 255)))),
      ),
    ),
    get: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
    post: "ConnectionError ERR_SSL_*|EPROTO not_sent ×0",
  },
  {
    fault: "a bit of the encrypted response is changed in transit",
    world: tls({
      onResponse: (chunk, client) => {
        if (chunk[0] === ENCRYPTED) chunk[chunk.length - 1] = (chunk.at(-1) ?? 0) ^ 1;
        client.write(chunk);
      },
    }),
    get: "ConnectionError ERR_SSL_*|UND_ERR_SOCKET unknown ×3",
    post: "ConnectionError ERR_SSL_*|UND_ERR_SOCKET unknown ×1",
  },
  {
    fault: "the connection is cut in the encrypted response, without a close_notify",
    world: tls({
      respond: (_, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write('[{"id"');
        setTimeout(() => response.socket?.destroy(), 20);
      },
    }),
    get: `${broken} unknown ×3`,
    post: `${broken} unknown ×1`,
  },
];

export const tlsRows: Family = {
  title: "TLS",
  rows: rows.map((row): Row => ({ ...row, nodeOnly: true })),
};
