/** From where an address can be reached, the nearest first. */
export const reaches = { machine: 0, network: 1, anywhere: 2 } as const
export type Reach = (typeof reaches)[keyof typeof reaches]

/**
 * How far a host of a URL reaches, as far as it says so itself. Names are looked up by nobody here: but for `localhost`
 * they may be anywhere.
 */
export function reachOf(hostname: string): Reach {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return reaches.machine
  const bytes = bytesOf(name)
  if (bytes) return reachOfBytes(bytes)
  if (name === '[::]' || name === '[::1]') return reaches.machine
  return /^\[f(?:[cd][\da-f]|e[89ab])[\da-f]:/.test(name) ? reaches.network : reaches.anywhere
}

/** Of an IPv4 address, also of one that IPv6 wraps; parsing a URL has brought both to one form. */
function bytesOf(name: string): readonly number[] | undefined {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(name)) return name.split('.').map(Number)
  const [, high, low] = /^\[::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(name) ?? []
  if (high === undefined || low === undefined) return undefined
  return [high, low].flatMap((word) => {
    const value = Number.parseInt(word, 16)
    return [value >> 8, value & 255]
  })
}

/** `0.0.0.0` and the like are this machine too: whoever connects there comes here. */
function reachOfBytes([first = 0, second = 0]: readonly number[]): Reach {
  if (first === 0 || first === 127) return reaches.machine
  const isOwn =
    first === 10 ||
    (first === 172 && second >> 4 === 1) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254) ||
    (first === 100 && second >> 6 === 1)
  return isOwn ? reaches.network : reaches.anywhere
}
