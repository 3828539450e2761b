/** The connection of a request. */
export interface Connection {
  /** The IP address of the peer. */
  readonly remoteAddress: string | undefined;
  /**
   * Breaks the connection deliberately, to play a fault.
   *
   * Before the handler returns, this is a reset without a response. While its body is read, the bytes that were read so far are
   * sent, and the connection then ends in the middle of the body. Aborts `request.signal`.
   */
  destroy(): void;
}
