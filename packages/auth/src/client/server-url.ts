import { parseUrl } from '../shared/url-rules.ts'

/** The identifier of a server that does not describe itself: its URL without query, fragment and empty path (RFC 8707). */
export function canonicalResource(serverUrl: URL): string {
  return serverUrl.pathname === '/' ? serverUrl.origin : `${serverUrl.origin}${serverUrl.pathname}`
}

/**
 * Whether what a document calls itself is the server it was fetched for, or a part of the same origin that holds it.
 * A slash at the end makes no difference here; the text is used as it stands.
 */
export function isResourceOf(resource: string, serverUrl: URL): boolean {
  const url = parseUrl(resource)
  if (url === undefined || resource.includes('#')) return false
  if (url.origin !== serverUrl.origin || url.username !== '' || url.password !== '') return false
  if (url.search !== '' && url.search !== serverUrl.search) return false
  const [outer, inner] = [withSlash(url.pathname), withSlash(serverUrl.pathname)]
  return inner.startsWith(outer)
}

/**
 * The server, if its resource is more than the server itself: a path above it, or the whole origin. RFC 9728 section 3.3
 * wants both to be the same, and many servers name their origin. What is given for such a resource is kept for this
 * server alone: any other on the same origin could name the same resource, and would get it without anybody being asked.
 */
export function partOf(resource: string, serverUrl: URL): string | undefined {
  const { pathname } = new URL(resource)
  const isWhole = withSlash(pathname) === withSlash(serverUrl.pathname)
  return isWhole ? undefined : canonicalResource(serverUrl)
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
