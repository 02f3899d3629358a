import { parseUrl } from './parse-url.ts'

/**
 * The one spelling of a URI that rules compare, however a caller writes it: no dot segments, no repeated slashes, nothing
 * percent-encoded that need not be, composed Unicode, no dot behind the host. A URI that programs read in different ways has none: an
 * encoded slash or control character, a backslash, a user name, a `file:` URI with a host, `..` behind repeated slashes, percent
 * signs that encode no text.
 */
export function canonicalUri(uri: string): string | undefined {
  if (/[\p{Cc}\\]/u.test(uri)) return undefined
  const url = parseUrl(uri)
  if (url === undefined || url.username !== '' || url.password !== '') return undefined
  if (url.protocol === 'file:' && url.host !== '') return undefined
  if (parseUrl(withoutRepeats(uri))?.pathname !== oneSlash(url.pathname)) return undefined
  const host = hostOf(url)
  const segments = segmentsOf(url.pathname)
  if (host === undefined || segments === undefined) return undefined
  const start = `${url.protocol}${hasAuthority(url) ? `//${host}` : ''}`
  const path = oneSlash(segments.join('/'))
  return `${start}${path}${plainCodes(url.search)}${plainCodes(url.hash)}`
}

/** `a//../b` is `a/b` for browsers, which take one of the slashes away, and `b` for file systems. */
function withoutRepeats(uri: string): string {
  return uri.replace(
    /^([a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?)([^?#]*)/i,
    (_, start: string, path: string) => start + oneSlash(path),
  )
}

function oneSlash(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/')
}

/** `file:` and `https:` always have one; others where it is written. */
function hasAuthority({ href, protocol }: URL): boolean {
  return href.startsWith('//', protocol.length)
}

function hostOf({ host, hostname, port }: URL): string | undefined {
  const plain = hostname.startsWith('[') ? hostname : decoded(hostname)
  if (plain === undefined || (plain !== hostname && /[@:?#[\]]/.test(plain))) return undefined
  const name = plain.replace(/\.+$/, '')
  return port === '' || host === hostname ? name : `${name}:${port}`
}

function segmentsOf(path: string): readonly string[] | undefined {
  const segments = path.split('/').map((segment) => {
    const plain = decoded(segment)
    return plain === '.' || plain === '..' ? undefined : plain && encoded(plain)
  })
  return segments.includes(undefined) ? undefined : (segments as readonly string[]) // just checked
}

/** Undefined for what would end or divide a segment, and for what encodes no text. */
function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment).normalize('NFC')
    return /[\p{Cc}/\\]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** All but what may stand in a segment as it is: https://www.rfc-editor.org/rfc/rfc3986#section-3.3 */
function encoded(segment: string): string {
  return encodeURIComponent(segment).replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
}

/** Decodes the codes that are never needed (letters, digits and `-._~`), and writes other codes in capitals. */
function plainCodes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}
