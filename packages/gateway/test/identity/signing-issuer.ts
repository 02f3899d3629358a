import { generateKeyPairSync, sign as signBytes } from 'node:crypto'

import {
  openLoggedServer,
  type Answer,
  type LoggedServer,
  type Seen,
} from '../../../../test-support/http-log.ts'

/** An issuer on loopback that signs what a test tells it. */
export interface SigningIssuer extends LoggedServer {
  readonly issuer: string
  sign(claims: object, typ?: string): string
}

/** `token` answers at the token endpoint. */
export async function openSigningIssuer(
  token: (seen: Seen, issuer: SigningIssuer) => Answer,
): Promise<SigningIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }
  const logged = await openLoggedServer((seen): Answer => {
    const { origin: issuer } = logged
    switch (seen.path) {
      case '/.well-known/oauth-authorization-server':
        return { body: { issuer, jwks_uri: `${issuer}/jwks`, token_endpoint: `${issuer}/token` } }
      case '/jwks':
        return { body: { keys: [jwk] } }
      case '/token':
        return token(seen, signing)
      default:
        return { status: 404, body: 'nothing here' }
    }
  })
  const signing: SigningIssuer = {
    ...logged,
    [Symbol.asyncDispose]: () => logged[Symbol.asyncDispose](),
    issuer: logged.origin,
    sign(claims, typ = 'at+jwt') {
      const now = Math.floor(Date.now() / 1000)
      const jti = crypto.randomUUID()
      const times = { iss: logged.origin, client_id: 'app', iat: now, exp: now + 300, jti }
      const body = [
        { alg: 'ES256', typ, kid: 'one' },
        { ...times, ...claims },
      ]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
      return `${body}.${signBytes('sha256', Buffer.from(body), key).toString('base64url')}`
    },
  }
  return signing
}
