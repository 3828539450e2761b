import http from "node:http";

/** Sends requests with node:http, as axios, got and node-fetch do. For the option `fetch`. */
export async function fetchByHttp(
  url: string,
  init: { method: string; headers: Headers; body?: string; signal: AbortSignal },
): Promise<Response> {
  const { method, headers, body, signal } = init;
  return await new Promise<Response>((resolve, reject) => {
    const request = http.request(
      url,
      { method, headers: Object.fromEntries(headers), signal },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0 })),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
