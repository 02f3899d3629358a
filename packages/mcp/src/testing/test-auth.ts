import type { AuthInfo } from '../rpc/auth-info.ts'

/** A caller for tests; what is not given is filled in. */
export function testAuth(
  auth: Partial<Omit<AuthInfo, 'scopes'>> & { readonly scopes?: readonly string[] } = {},
): AuthInfo {
  return {
    issuer: 'https://issuer.test',
    subject: 'test-user',
    clientId: 'test-client',
    audience: ['https://server.test'],
    expiresAt: Date.now() + 3_600_000,
    claims: {},
    ...auth,
    scopes: new Set(auth.scopes),
  }
}
