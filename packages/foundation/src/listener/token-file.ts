/** The data that programs of the same user need to reach a listener. */
export interface TokenFile {
  /** The address of the listener. */
  readonly url: string
  /** The bearer token to send. */
  readonly token: string
  /** The process that listens. */
  readonly pid: number
}
