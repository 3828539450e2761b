import { jsonResponse } from "../serve/responses.ts";

/** What is wrong with one field, and its JSON pointer. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Problem details as in RFC 9457, with the service's own code. */
export function problem(
  status: number,
  code: string,
  { errors, headers }: { errors?: readonly FieldProblem[]; headers?: Record<string, string> } = {},
): Response {
  const title = code.replaceAll("_", " ");
  return jsonResponse(
    { type: `https://errors.invalid/${code}`, title, status, code, ...(errors && { errors }) },
    { status, contentType: "application/problem+json", ...(headers && { headers }) },
  );
}
