import { errorMessage } from '@parley/mcp/json'
import type { KoaContextWithOIDC, Provider, errors as Errors } from 'oidc-provider'

import { jwtBearer, workloadClient } from '../clients/known-clients.ts'
import type { Settings } from '../settings.ts'
import { describeResource, resourceScopes } from './scopes.ts'
import { createAssertionCheck, type Assertion } from './trusted-issuer.ts'

/** Tokens for who brings the word of a trusted issuer (RFC 7523): employees (ID-JAG) and programs. */
export function addAssertionGrant(
  provider: Provider,
  settings: Settings,
  errors: typeof Errors,
): void {
  const { issuer, trust, now, store } = settings
  if (trust.length === 0) return
  const check = createAssertionCheck({
    trust,
    audience: [issuer, provider.urlFor('token')],
    fetch: settings.fetch,
    now,
  })

  provider.registerGrantType(jwtBearer, grant, ['assertion', 'scope', 'resource'])

  async function grant(context: KoaContextWithOIDC): Promise<void> {
    const { client, params = {} } = context.oidc
    if (client === undefined) throw new errors.InvalidClient('the client is missing')
    const assertion = await read(params['assertion'])
    const { from, subject, claims } = assertion
    if ((from.kind === 'workload') !== (client.clientId === workloadClient)) {
      throw new errors.InvalidGrant('the assertion is not for this client')
    }
    if (from.kind === 'enterprise' && claims['client_id'] !== client.clientId) {
      throw new errors.InvalidGrant('the assertion is for another client')
    }
    const named = resourceOf(assertion, params['resource'])
    const server = describeResource(context, named, client, settings)
    if (server === undefined) throw new errors.InvalidTarget('unknown resource')
    if (claims.jti !== undefined) await useOnce(`${from.issuer}\n${claims.jti}`, claims.exp)

    const token = new provider.AccessToken({
      accountId: subject,
      client,
      gty: 'jwt-bearer',
      grantId: '', // there is nothing to renew
      scope: scopesOf(assertion, params['scope']).join(' ') || undefined,
    })
    token.resourceServer = new provider.ResourceServer(named, server)
    context.oidc.entity('AccessToken', token)
    const value = await token.save()
    context.body = {
      access_token: value,
      expires_in: token.expiration,
      token_type: token.tokenType,
      ...(token.scope !== undefined && { scope: token.scope }),
    }
  }

  async function read(assertion: unknown): Promise<Assertion> {
    if (typeof assertion !== 'string') throw new errors.InvalidRequest('assertion is missing')
    try {
      return await check(assertion)
    } catch (error) {
      const why = errorMessage(error)
      throw new errors.InvalidGrant(`the assertion is not accepted: ${why}`)
    }
  }

  async function useOnce(id: string, exp = 0): Promise<void> {
    const ttlMs = Math.max(exp * 1000 - now(), 0) + 60_000
    const isFirst = await store.add('Assertion', id, true, ttlMs)
    if (!isFirst) throw new errors.InvalidGrant('the assertion was used before')
  }

  function resourceOf({ from, claims }: Assertion, requestedResource: unknown): string {
    const resource = claims['resource']
    const named = typeof requestedResource === 'string' ? requestedResource : undefined
    if (from.kind === 'workload') return named ?? String(settings.resources[0])
    if (typeof resource !== 'string') return named ?? String(settings.resources[0])
    if (named !== undefined && named !== resource) {
      throw new errors.InvalidTarget('the assertion is for another resource')
    }
    return resource
  }

  /** Never more than the issuer may give, than it gave, and than was asked for. */
  function scopesOf({ from, claims }: Assertion, requestedScope: unknown): readonly string[] {
    const input = from.kind === 'enterprise' ? claims['scope'] : undefined
    const limits = [input, requestedScope].flatMap((item) =>
      typeof item === 'string' ? [resourceScopes(item)] : [],
    )
    return from.scopes.filter((scope) => limits.every((limit) => limit.includes(scope)))
  }
}
