import { createHash } from 'node:crypto'

/** JSON that may be kept for a while, and asked for again by its tag. */
export function readableJson(
  request: Request,
  json: string,
  isPublic: boolean,
  type = 'application/json',
): Response {
  const tag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
  const headers = {
    etag: tag,
    'cache-control': `${isPublic ? 'public' : 'private'}, max-age=60`,
    ...(!isPublic && { vary: 'Authorization' }),
  }
  if (hasTag(request.headers.get('if-none-match'), tag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(json, { headers: { 'content-type': type, ...headers } })
}

/** JSON for this caller and this moment. */
export function freshJson(value: unknown, status = 200): Response {
  return rawJson(JSON.stringify(value), status)
}

/** The same for what is text already. */
export function rawJson(json: string, status = 200): Response {
  return new Response(json, {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}

function hasTag(header: string | null, tag: string): boolean {
  if (header === null) return false
  const tags = header.split(',').map((word) => word.trim().replace(/^W\//, ''))
  return tags.includes(tag) || tags.includes('*')
}
