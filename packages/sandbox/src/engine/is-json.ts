/**
 * Whether a request says that its body is JSON. Only the media type itself counts: a web page may send
 * `text/plain; x=json` anywhere without a preflight request, but not `application/json`.
 */
export function isJson({ headers }: Request): boolean {
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
  return mediaType.trim().toLowerCase() === "application/json";
}
