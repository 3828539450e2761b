import { generate } from "selfsigned";

/** A certificate and its key. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** Creates a self-signed certificate. Further calls return the same one. */
export function certificate({
  name = "127.0.0.1",
  from = -DAY,
  to = DAY,
} = {}): Promise<Certificate> {
  const id = JSON.stringify([name, from, to]);
  const made = certificates.get(id) ?? make(name, from, to);
  certificates.set(id, made);
  return made;
}

const certificates = new Map<string, Promise<Certificate>>();

async function make(name: string, from: number, to: number): Promise<Certificate> {
  const isAddress = /^[\d.]+$/.test(name);
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    notBeforeDate: new Date(Date.now() + from),
    notAfterDate: new Date(Date.now() + to),
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true },
      {
        name: "subjectAltName",
        altNames: [isAddress ? { type: 7, ip: name } : { type: 2, value: name }],
      },
    ],
  });
  return { key, cert };
}
