const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Tells whether the host name of a URL is this machine. Names that end in `.localhost` are reserved for it by RFC 6761.
 *
 * @example
 * ```ts
 * isLoopback(new URL("http://127.0.0.1:8080/console").hostname); // true
 * ```
 */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
