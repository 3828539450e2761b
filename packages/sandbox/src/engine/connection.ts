/** The connection that a request came over. */
export interface Connection {
  /** The peer's IP address. */
  readonly remoteAddress: string | undefined;
  /**
   * Breaks the connection on purpose, to play a fault.
   *
   * Before the handler has returned: a reset without a response. While its body is read: the bytes that were read so far
   * are sent, then the connection ends in the middle of the body. Aborts `request.signal`.
   */
  destroy(): void;
}
