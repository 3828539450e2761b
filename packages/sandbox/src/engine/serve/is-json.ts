/**
 * Tells whether a request declares a JSON body. Only the media type counts: without a preflight request, a web page may send
 * `text/plain; x=json` to any address, but not `application/json`.
 */
export function isJson({ headers }: Pick<Request, "headers">): boolean {
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
  return mediaType.trim().toLowerCase() === "application/json";
}
