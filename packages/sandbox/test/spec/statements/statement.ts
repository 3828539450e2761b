import { expect } from "vitest";
import type { SandboxOptions } from "../../../src/index.ts";

/** A statement of the contract about a response or an accepted request, in our words, and a request that shows it. */
export interface Statement {
  readonly says: string;
  /** The request: method and path, headers, an empty line, the body. Values in braces are those of the fixture. */
  readonly request: string;
  readonly status: number;
  /** The body, as it is sent: text, or JSON that matches. */
  readonly body?: unknown;
  /** The sandbox, if it is not the default one. */
  readonly options?: SandboxOptions;
}

/** Writes a statement. */
export function states(
  says: string,
  request: string,
  status: number,
  body?: unknown,
  options?: SandboxOptions,
): Statement {
  return { says, request, status, body, ...(options && { options }) };
}

/** Writes a statement about a response with the status 200. */
export function succeeds(
  says: string,
  request: string,
  body?: unknown,
  options?: SandboxOptions,
): Statement {
  return states(says, request, 200, body, options);
}

export const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
export const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
export const text = expect.any(String);
export const number = expect.any(Number);
export const boolean = expect.any(Boolean);
export const list = expect.any(Array);

/** Any value, also `null`: the field is there, and its value is open. */
export const present = expect.toSatisfy((value) => value !== undefined);
