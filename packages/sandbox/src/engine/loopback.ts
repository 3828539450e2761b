/** Whether a host name of a URL is this machine: the sandbox sends nothing to any other. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
