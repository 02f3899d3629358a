import { classifyAddress, isLoopbackHost, parseUrl } from '@parley/mcp/address'

import { addressWarnings } from './address-warnings.ts'

/**
 * What a person should know before opening a link that a server asks them to visit: {@link addressWarnings}, and whether it leads to
 * this machine or its network, where a request of a browser can do something, or to a service that hides where it leads.
 */
export function linkWarnings(url: string): readonly string[] {
  const parsed = parseUrl(url)
  if (parsed === undefined) return []
  return [...addressWarnings(url), ...placeWarning(parsed), ...shortenerWarning(parsed)]
}

function placeWarning({ hostname, host }: URL): readonly string[] {
  const plain = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isLoopbackHost(plain)) {
    return [`${host} is this machine: opening it may make one of your own programs do something.`]
  }
  const kind = classifyAddress(plain)
  const isLocal =
    kind === undefined ? /^[^.]+$|\.(?:local|lan|home|internal)$/.test(plain) : kind !== 'public'
  return isLocal
    ? [`${host} is in your own network: opening it may make a device there do something.`]
    : []
}

/** Services whose addresses say nothing about where they lead. */
const shorteners = new Set(
  'bit.ly bitly.com buff.ly cutt.ly dub.sh goo.gl is.gd lnkd.in ow.ly rb.gy rebrand.ly s.id shorturl.at t.co t.ly tiny.cc tinyurl.com v.gd'.split(
    ' ',
  ),
)

function shortenerWarning({ hostname }: URL): readonly string[] {
  const name = hostname
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')
  return shorteners.has(name)
    ? [`${name} shortens addresses: where it leads is seen only when it is open.`]
    : []
}
