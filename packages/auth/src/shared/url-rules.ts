import { isLoopbackHost, parseUrl as parse } from '@parley/mcp/address'

/** Why a URL that came from a peer is not to be used, or `undefined` if it may be. */
export function findUrlProblem(
  url: URL,
  { allowLoopback }: { readonly allowLoopback: boolean },
): string | undefined {
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password'
  if (url.protocol === 'https:') return undefined
  if (url.protocol !== 'http:') return `its scheme is ${url.protocol.slice(0, -1)}, not https`
  if (!isLoopbackHost(url.hostname)) return 'it is not https'
  return allowLoopback ? undefined : 'it points to this machine'
}

/** The URL, or `undefined` when the value is not the text of one. */
export function parseUrl(text: unknown, base?: URL): URL | undefined {
  return typeof text === 'string' ? parse(text, base) : undefined
}

const oauth = '/.well-known/oauth-authorization-server'
const openid = '/.well-known/openid-configuration'

/** Where the metadata of an issuer may be, in the order they are tried. */
export function metadataUrls(issuer: URL): readonly URL[] {
  const { origin } = issuer
  const path = issuer.pathname.replace(/\/$/, '')
  const paths =
    path === ''
      ? [oauth, openid]
      : // The last is in no specification, and some servers have only that.
        [`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`, `${path}${oauth}`]
  return paths.map((location) => new URL(`${origin}${location}`))
}
