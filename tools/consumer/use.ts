// A user's program: copied beside the installed tarballs, compiled as ESM and as CommonJS, and run.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createConsoleClient,
  isApiError,
  type ConsoleClient,
  type Label,
} from "@fieldmesh/console-client";

const known: Label = { id: "2e0c3a52-6c2b-4d0e-9a55-0f6c1f1d7a10", name: "pumps" };

async function main(): Promise<void> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url !== "/api/v1/labels") response.statusCode = 404;
    response.end(JSON.stringify([known]));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client: ConsoleClient = createConsoleClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: "an-api-key-of-nobody",
  });

  const labels: Label[] = await client.labels.list();
  const missing: unknown = await client.labels
    .get({ label_id: "2e0c3a52-6c2b-4d0e-9a55-0f6c1f1d7a11" })
    .catch((error: unknown) => error);
  server.close();

  if (labels[0]?.name !== known.name) throw new Error("the label did not arrive");
  if (!isApiError(missing) || missing.status !== 404)
    throw new Error("the error is not an ApiError");
}

void main();
