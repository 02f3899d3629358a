/** Any page may ask, none with the cookies of its user; answers are data and nothing else. */
export const corsHeaders: readonly (readonly [name: string, value: string])[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', 'ETag, Retry-After, WWW-Authenticate, Location'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
]

/** A browser asks before it sends. */
export function preflight(request: Request): Response {
  // A star does not stand for Authorization.
  const requestedHeaders = request.headers.get('access-control-request-headers') ?? '*'
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': /^[\w ,*-]{1,1000}$/.test(requestedHeaders)
        ? requestedHeaders
        : '*',
      'access-control-max-age': '86400',
    },
  })
}
