import { createHash, timingSafeEqual } from 'node:crypto'

import type { GuardDenial, HttpGuard } from '@parley/mcp/http'

/** Lets in who shows the token as a bearer. The comparison takes as long for a near miss as for a far one. */
export function createTokenGuard(token: string): HttpGuard {
  const expected = digest(token)
  return {
    async authenticate({ header }) {
      const shown = /^Bearer +([^\s]+)\s*$/i.exec(header('authorization') ?? '')?.[1]
      if (shown === undefined) return deny('this request needs a bearer token', 'Bearer')
      if (!timingSafeEqual(digest(shown), expected)) {
        return deny('the token is not the one expected', 'Bearer error="invalid_token"')
      }
      return { kind: 'allow', auth: holder }
    },
  }
}

/** Everybody who has the token is the same caller. */
const holder = {
  issuer: 'parley:auth-token',
  subject: 'holder',
  clientId: 'holder',
  scopes: new Set<string>(),
  audience: [],
  expiresAt: Infinity,
  claims: {},
}

function deny(message: string, challenge: string): GuardDenial {
  return { kind: 'deny', status: 401, headers: { 'www-authenticate': challenge }, message }
}

/** Of one length, whatever the text. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
