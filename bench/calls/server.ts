import { serveInChild } from "../support/child.ts";

const label = (number: number) => ({
  id: `7c9e6679-7425-40de-944b-e07fc1f90a${number}0`,
  name: `Pumping stations ${number}`,
});
const body = JSON.stringify([1, 2, 3, 4].map(label));
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };

await serveInChild((_request, response) => {
  response.writeHead(200, headers).end(body);
});
