import { parseUrl } from '../shared/url-rules.ts'

/** Whom tokens may be issued for. */
export interface AudienceRules {
  /** One of these must be named. */
  readonly own: readonly string[]
  /** These may be. */
  readonly others: readonly string[]
}

/** The resource as metadata and tokens name it: without the slash a bare origin does not need. */
export function resourceId(resource: URL): string {
  const { href, origin } = resource
  return href === `${origin}/` ? origin : href
}

/** Why a token is not for this server, or undefined if it is. */
export function findAudienceFault(
  named: readonly string[],
  { own, others }: AudienceRules,
): string | undefined {
  if (named.length === 0) return 'it has no audience'
  const ours = own.map(canonical)
  const allowed = new Set([...ours, ...others.map(canonical)])
  const found = named.map(canonical)
  if (!found.some((name) => ours.includes(name))) return 'it is issued for another server'
  if (!found.every((name) => allowed.has(name))) return 'it is issued for other servers as well'
  return undefined
}

/** Case of scheme and host, and the slash of a bare origin, make no difference; everything else does. */
function canonical(name: string): string {
  const parts = /^(https?):\/\/([^/?#@]+)(.*)$/i.exec(name)
  const url = parseUrl(name)
  if (parts === null || url === undefined) return name
  const [, , , rest = ''] = parts
  return `${url.origin}${rest === '/' ? '' : rest}`
}
