/**
 * `@parley/compat/options`: what this package can do besides the official interface.
 *
 * The options are of the whole process, because the programs are written for constructors that do not have them. Transports look at them when
 * they are used, so it does not matter whether a transport was made before.
 */

export interface CompatOptions {
  /**
   * Answers requests of revision 2026-07-28 over Streamable HTTP.
   * @defaultValue true
   */
  readonly modern?: boolean
  /**
   * The host names that HTTP requests may have in their Host and Origin headers, without ports; IPv6 addresses have brackets. Others get
   * status 403. Any without it.
   */
  readonly allowedHosts?: readonly string[]
  /** Bytes that wait for a client that does not read, before its connection is closed. No limit without it. */
  readonly maxUnreadBytes?: number
  /**
   * Sends what the program writes to standard output to standard error while a stdio server runs: `console.log` breaks the protocol
   * otherwise.
   * @defaultValue false
   */
  readonly guardStdout?: boolean
}

const chosen: CompatOptions = {}

/** Sets options for the whole process; those that are left out stay as they are. */
export function configure(options: CompatOptions): void {
  const { maxUnreadBytes } = options
  if (maxUnreadBytes !== undefined && !(maxUnreadBytes > 0)) {
    throw new RangeError(`maxUnreadBytes must be a positive number of bytes, got ${maxUnreadBytes}`)
  }
  Object.assign(chosen, options)
}

/** Says whether requests of the newest revision are answered. */
export function supportsModern(): boolean {
  return chosen.modern ?? true
}

/** Says whether what a program writes to standard output goes to standard error. */
export function guardsStdout(): boolean {
  return chosen.guardStdout ?? false
}

/** Says whether a client has left so many bytes unread that its connection is to be closed. */
export function isOverUnreadLimit(bytes: number): boolean {
  return bytes > (chosen.maxUnreadBytes ?? Infinity)
}

/** Returns what is wrong with the Host and Origin headers of a request; `undefined` for an accepted one. */
export function refusedHost(
  host: string | undefined,
  origin: string | undefined,
): string | undefined {
  const { allowedHosts } = chosen
  if (allowedHosts === undefined) return undefined
  if (!allowedHosts.includes(hostnameOf(`http://${host ?? ''}`))) {
    return `Invalid Host header: ${host}`
  }
  if (origin !== undefined && !allowedHosts.includes(hostnameOf(origin))) {
    return `Invalid Origin header: ${origin}`
  }
  return undefined
}

/** Returns an empty string, which is no host name, for what is no URL. */
function hostnameOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}
