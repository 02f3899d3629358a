import { isLoopbackAddress, parseUrl } from '@parley/mcp/address'

/** The reach of an address to listen on: which machines can connect. */
export type Reach = 'loopback' | 'network' | 'everywhere'

/** An address as given, folded to the one spelling that is listened on. */
export interface Binding {
  /** The address to listen on. */
  readonly address: string
  /** The machines that can connect: this machine, a network, or all. */
  readonly reach: Reach
}

/**
 * Folds the spellings of an address: `0`, `0x0`, `0.0`, `::ffff:0.0.0.0`, `*` and nothing at all are the wildcard, `127.1`
 * and `localhost` are loopback. What is listened on is the folded one, so that nothing reads it differently.
 */
export function readBinding(host: string): Binding {
  const plain = host.trim().replace(/^\[(.*)\]$/, '$1')
  if (plain === '' || plain === '*') return { address: '::', reach: 'everywhere' }
  const folded = foldAddress(plain)
  if (folded === 'localhost') return { address: '127.0.0.1', reach: 'loopback' }
  if (folded === '0.0.0.0' || folded === '::') return { address: folded, reach: 'everywhere' }
  return { address: folded, reach: isLoopbackAddress(folded) ? 'loopback' : 'network' }
}

/** By the parser of browsers, which knows every way to write a number; mapped addresses become what they map. */
function foldAddress(plain: string): string {
  const text = plain.includes(':') ? `http://[${plain}]/` : `http://${plain}/`
  const url = /^[\w.:-]+$/.test(plain) ? parseUrl(text) : undefined
  if (url === undefined) {
    throw new TypeError(
      `cannot listen on ${JSON.stringify(plain)}: it is neither an IP address nor a host name`,
    )
  }
  const inner = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(inner)
  if (mapped === null) return inner
  const high = Number.parseInt(mapped[1] ?? '', 16)
  const low = Number.parseInt(mapped[2] ?? '', 16)
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
