import { UsageError } from "./command-error.ts";

/** Returns the error for the user if a server cannot listen; `undefined` for any other error. */
export function listenFailure(error: unknown): UsageError | undefined {
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  switch (code) {
    case "EADDRINUSE":
      return new UsageError(
        `Port ${port} is in use. Choose another one; --port 0 is any free one.`,
      );
    case "EACCES":
      return new UsageError(`Port ${port} needs special permission. Choose one from 1024 up.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new UsageError(
        `${address ?? "That"} is not an address of this machine. Choose another --host.`,
      );
    default:
      return undefined;
  }
}
