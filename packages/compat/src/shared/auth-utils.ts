/** Returns a URL as a resource indicator (RFC 8707): without its fragment. */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url)
  resource.hash = ''
  return resource
}

/** Says whether a resource is the configured one, or below it. */
export function checkResourceAllowed({
  requestedResource,
  configuredResource,
}: {
  requestedResource: URL | string
  configuredResource: URL | string
}): boolean {
  const requested = new URL(requestedResource)
  const configured = new URL(configuredResource)
  if (requested.origin !== configured.origin) return false
  const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)
  return (
    requested.pathname.length >= configured.pathname.length &&
    withSlash(requested.pathname).startsWith(withSlash(configured.pathname))
  )
}
