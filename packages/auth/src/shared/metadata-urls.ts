const oauth = '/.well-known/oauth-authorization-server'
const openid = '/.well-known/openid-configuration'

/** Where the metadata of an issuer may be, in the order they are tried. */
export function metadataUrls(issuer: URL): readonly URL[] {
  const { origin } = issuer
  const path = issuer.pathname.replace(/\/$/, '')
  const places =
    path === ''
      ? [oauth, openid]
      : // The last is in no specification, and some servers have only that.
        [`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`, `${path}${oauth}`]
  return places.map((place) => new URL(`${origin}${place}`))
}
