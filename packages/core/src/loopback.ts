const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Tells whether a host name of a URL is this machine. RFC 6761 reserves names that end in `.localhost` for it. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
