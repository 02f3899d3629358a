import { parseUrl } from '@parley/mcp/address'

/** Whether a host is one of a list, or below one of it. */
export type HostList = (hostname: string) => boolean

/**
 * `example.com` stands for itself and everything below it. Addresses stand for themselves, in whichever way they are
 * spelled. Throws on an entry that is no host, since a list with a hole in it would be worse than none.
 */
export function createHostList(entries: readonly string[]): HostList {
  const hosts = entries.map((entry) => {
    const host = readHost(entry)
    if (host === undefined) throw new TypeError(`${JSON.stringify(entry)} is not a host name`)
    return host
  })
  return (hostname) => {
    const host = plainHost(hostname)
    return hosts.some(
      (candidate) => host === candidate || (!isDigits(candidate) && host.endsWith(`.${candidate}`)),
    )
  }
}

/** A host as rules compare it: lower case, without brackets and without the dot of the root. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** Read as a part of a URL, so that an entry and the host of a request get the same spelling. */
function readHost(entry: string): string | undefined {
  const text = entry.trim().replace(/^\*?\./, '')
  const isBareIpv6 = text.split(':').length > 2 && !text.startsWith('[')
  if (text === '' || /[/?#@\\]/.test(text)) return undefined
  const url = parseUrl(`http://${isBareIpv6 ? `[${text}]` : text}/`)
  return url?.port === '' ? plainHost(url.hostname) : undefined
}

function isDigits(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host)
}
