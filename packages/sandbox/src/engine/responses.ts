import { stringifyJson } from "@fieldmesh/core";

/** What an answer carries besides its body. */
export interface AnswerInit {
  readonly status?: number | undefined;
  /** `undefined` sends none, as the services do with texts and some errors. */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** A JSON answer that rounds no integer; with `contentType: undefined` it carries none. */
export function jsonAnswer(value: unknown, init: AnswerInit = {}): Response {
  return bytesAnswer(stringifyJson(value), { contentType: JSON_TYPE, ...init });
}

/** A text answer, which carries no content-type unless it is told one. */
export function textAnswer(text: string, init: AnswerInit = {}): Response {
  return bytesAnswer(text, init);
}

function bytesAnswer(
  text: string,
  { status = 200, contentType, headers = {} }: AnswerInit,
): Response {
  const type = contentType === undefined ? {} : { "content-type": contentType };
  // A Response made of text would bring a content-type of its own.
  const bytes = text === "" ? null : new TextEncoder().encode(text);
  return new Response(bytes, { status, headers: { ...type, ...headers } });
}
