/** The identifier of a server that does not describe itself: its URL without query, fragment and empty path (RFC 8707). */
export function canonicalResource(serverUrl: URL): string {
  return serverUrl.pathname === '/' ? serverUrl.origin : `${serverUrl.origin}${serverUrl.pathname}`
}

/**
 * Whether what a document calls itself is the server it was fetched for, or a part of the same origin that holds it.
 * A slash at the end makes no difference here; the text is used as it stands.
 */
export function isResourceOf(resource: string, serverUrl: URL): boolean {
  if (!URL.canParse(resource) || resource.includes('#')) return false
  const url = new URL(resource)
  if (url.origin !== serverUrl.origin || url.username !== '' || url.password !== '') return false
  if (url.search !== '' && url.search !== serverUrl.search) return false
  const [outer, inner] = [withSlash(url.pathname), withSlash(serverUrl.pathname)]
  return inner.startsWith(outer)
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
