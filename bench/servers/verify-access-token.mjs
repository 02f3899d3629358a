import { bearerToken, guardedResource, tokenLifeMs } from './workload.mjs'

/** What the official SDK asks for a token: who has it, without looking anywhere, as if it were remembered. */
export async function verifyAccessToken(token) {
  if (token !== bearerToken) throw new Error('unknown token')
  return {
    token,
    clientId: 'bench',
    scopes: [],
    resource: new URL(guardedResource),
    expiresAt: (Date.now() + tokenLifeMs) / 1_000,
  }
}
