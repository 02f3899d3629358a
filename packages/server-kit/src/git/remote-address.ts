import { isAbsolute, posix, resolve, sep } from 'node:path'

import { parseUrl } from '@parley/mcp/address'

import { isInside } from '../paths/containment.ts'

/** A place that can be reached, taken apart. */
export interface RemoteAddress {
  readonly protocol: string
  /** With the port and without a user. */
  readonly host: string
  readonly path: string
}

/** What a URL may be made of: nothing that two readers could take for the end of a part, or for its beginning. */
const plainUrl =
  /^(https?|ssh|file):\/\/((?:\w[\w.~-]*@)?(?:\w[\w.-]*|\[[\da-f:.]+\])(?::\d+)?)?(\/[\w.~!$&'()*+,;=:@%/-]*)?$/
/** The short way for SSH: `git@host:path`. */
const shortForm = /^(?:\w[\w.-]*@)?(\w[\w.-]+):(?!\/\/)([\w~/][\w.~!$&'()*+,;=@%/-]*)$/

/**
 * Where an address leads. Undefined unless it is written in the one way that every reader takes for the same: what is
 * judged here is what git reaches.
 */
export function parseRemote(address: string): RemoteAddress | undefined {
  if (isAbsolute(address)) return localPath(address)
  const [, shortHost, shortPath = ''] = shortForm.exec(address) ?? []
  if (shortHost !== undefined) {
    const path = plainPath(fromHome(shortPath))
    return path === undefined ? undefined : { protocol: 'ssh', host: shortHost, path }
  }
  const [, protocol = '', authority = '', escaped = '/'] = plainUrl.exec(address) ?? []
  if ((protocol === 'file') !== (authority === '') || !isAsParsed(address)) return undefined
  const path = plainPath(unescaped(escaped))
  if (path === undefined) return undefined
  if (protocol === 'file') return localPath(path)
  return { protocol, host: authority.slice(authority.indexOf('@') + 1), path }
}

/** What an operator allows. They may write it as they like, as it is theirs. */
export function parseAllowed(start: string): RemoteAddress | undefined {
  if (isAbsolute(start)) return parseRemote(resolve(start))
  return parseRemote(parseUrl(start)?.href ?? start)
}

/** Whether one address is the other, or below it. */
export function isBelow(address: RemoteAddress, { protocol, host, path }: RemoteAddress): boolean {
  if (address.protocol !== protocol || address.host !== host) return false
  if (protocol === 'file') return isInside(address.path, path)
  return `${address.path}/`.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function localPath(text: string): RemoteAddress | undefined {
  const path = withoutLastSlash(text).replaceAll('/', sep)
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  const isPlain = resolve(path) === path && !/[\u0000-\u001f\u007f]/.test(path)
  return isPlain ? { protocol: 'file', host: '', path } : undefined
}

/** A path of SSH that does not begin with a slash begins at the home of the user. */
function fromHome(path: string): string {
  if (path.startsWith('/')) return path
  return path.startsWith('~') ? `/${path}` : `/~/${path}`
}

/** Without `..`, `.` and doubled slashes, which not everybody takes away, and not at the same time. */
function plainPath(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const plain = withoutLastSlash(path)
  return posix.resolve('/', plain) === plain ? plain : undefined
}

/** Undefined for what is no text, or holds what would end a part of the path. */
function unescaped(path: string): string | undefined {
  if (/%(?:[01]|2f|5c|25|7f)/i.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function isAsParsed(address: string): boolean {
  const href = parseUrl(address)?.href
  return href === address || href === `${address}/`
}

function withoutLastSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
