/**
 * IP addresses: classifies them (internet, this machine, private, none), compares them with ranges, and groups them for limits. IPv4
 * addresses inside IPv6 ones count as what they are.
 *
 * No lookup of names. The SSRF protection of `@parley/auth` and the Host check of the HTTP transport depend on this table.
 */

/** Where an IP address leads: to the internet, to this machine, to no place at all, or to where a stranger must not send us. */
export type AddressKind = 'public' | 'loopback' | 'unspecified' | 'private'

type Range = readonly [first: readonly number[], bits: number]

/** IPv4 ranges that are not the internet (IANA special-purpose registry), as first address and prefix length. */
const privateIpv4: readonly Range[] = [
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 0, 2, 0], 24],
  [[192, 88, 99, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  [[198, 51, 100, 0], 24],
  [[203, 0, 113, 0], 24],
  [[224, 0, 0, 0], 3], // multicast, reserved, broadcast
]

/** Ranges inside 2000::/3 that are not the internet. */
const privateIpv6: readonly Range[] = [
  [[0x20, 0x01, 0x00], 23], // IETF assignments, Teredo among them
  [[0x20, 0x01, 0x0d, 0xb8], 32],
  [[0x3f, 0xff, 0x00], 20],
]

/** Forms of IPv6 that contain an IPv4 address, and where it begins: a connection may end at that address. */
const translated: readonly (readonly [...range: Range, at: number])[] = [
  [[0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12], // NAT64
  [[0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], 96, 12], // IPv4-translated
  [[0x20, 0x02], 16, 2], // 6to4
]

/** Classifies a numeric address; undefined when it is not one. An IPv4 address inside an IPv6 one decides. */
export function classifyAddress(text: string): AddressKind | undefined {
  const bytes = parseAddress(text)
  if (bytes === undefined) return undefined
  return bytes.length === 4 ? classifyIpv4(bytes) : classifyIpv6(bytes)
}

/**
 * Whom limits count an address for: IPv4 by itself, however it is written, and of IPv6 the first half, as one household
 * has all of the second. Text that is not an IP address is its own key.
 */
export function addressBlock(text: string): string {
  const bytes = parseAddress(text)
  if (bytes === undefined) return text
  if (bytes.length === 4) return bytes.join('.')
  const groups = [0, 2, 4, 6].map((at) =>
    (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16),
  )
  return `${groups.join(':')}::/64`
}

/** Addresses that begin with the same bits. */
export interface AddressRange {
  /** Whether an address, however it is written, is in the range. Text that is no address is not. */
  includes(address: string): boolean
}

/** Parses a range such as `10.0.0.0/8` or `fd00::/8`, or one address; undefined when the text is neither. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const first = parseAddress(address)
  if (first === undefined) return undefined
  // `::ffff:10.0.0.0/104` is `10.0.0.0/8`: the bits of the mapping are counted too.
  const mappedBits = first.length === 4 && address.includes(':') ? 96 : 0
  const bits = length === undefined ? first.length * 8 : Number(length) - mappedBits
  if (bits < 0 || bits > first.length * 8) return undefined
  return {
    includes(other) {
      const bytes = parseAddress(other)
      return bytes?.length === first.length && startsWith(bytes, first, bits)
    },
  }
}

/** The bytes of an address: four, also of IPv4 that IPv6 maps, or sixteen. */
function parseAddress(text: string): readonly number[] | undefined {
  const ipv4 = parseIpv4(text)
  if (ipv4 !== undefined) return ipv4
  const ipv6 = parseIpv6(text)
  const isMapped =
    ipv6 !== undefined && startsWith(ipv6, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96)
  return isMapped ? ipv6.slice(12) : ipv6
}

function classifyIpv4(bytes: readonly number[]): AddressKind {
  if (bytes[0] === 127) return 'loopback'
  if (bytes[0] === 0) return 'unspecified'
  return isAmong(bytes, privateIpv4) ? 'private' : 'public'
}

function classifyIpv6(bytes: readonly number[]): AddressKind {
  if (bytes.slice(0, 15).every((byte) => byte === 0)) {
    if (bytes[15] === 1) return 'loopback'
    if (bytes[15] === 0) return 'unspecified'
  }
  if (bytes.slice(0, 12).every((byte) => byte === 0)) return 'unspecified' // IPv4-compatible, which nobody routes
  const inner = translated.find(([first, bits]) => startsWith(bytes, first, bits))
  if (inner) {
    const [, , at] = inner
    // Never loopback: where it arrives is somewhere else.
    return classifyIpv4(bytes.slice(at, at + 4)) === 'public' ? 'public' : 'private'
  }
  if (!startsWith(bytes, [0x20], 3)) return 'private'
  return isAmong(bytes, privateIpv6) ? 'private' : 'public'
}

function isAmong(bytes: readonly number[], ranges: readonly Range[]): boolean {
  return ranges.some(([first, bits]) => startsWith(bytes, first, bits))
}

function startsWith(bytes: readonly number[], first: readonly number[], bits: number): boolean {
  for (let index = 0; index * 8 < bits; index += 1) {
    const mask = (0xff << Math.max(0, 8 - (bits - index * 8))) & 0xff
    if (((bytes[index] ?? 0) & mask) !== ((first[index] ?? 0) & mask)) return false
  }
  return true
}

function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part)))
    return undefined
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte < 256) ? bytes : undefined
}

function parseIpv6(text: string): readonly number[] | undefined {
  const [plain = ''] = text.replace(/^\[(.*)\]$/, '$1').split('%') // a zone names an interface
  const halves = plain.split('::')
  if (halves.length > 2 || !plain.includes(':')) return undefined
  const [head, tail] = [parseGroups(halves[0] ?? ''), parseGroups(halves[1] ?? '')]
  if (head === undefined || tail === undefined) return undefined
  const missing = 16 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail]
}

function parseGroups(text: string): readonly number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    const ipv4 = index === groups.length - 1 ? parseIpv4(group) : undefined
    if (ipv4 !== undefined) bytes.push(...ipv4)
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
    } else return undefined
  }
  return bytes
}

/** Whether something to listen on, or a `Host`, is this machine and nobody else: `localhost`, or an address in digits. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || classifyAddress(host) === 'loopback'
}

/** Whether the host of a URL can only be this machine; names below `localhost` are, too. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return isLoopbackAddress(host) || host.endsWith('.localhost')
}
