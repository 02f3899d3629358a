import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

import type { Settings } from '../settings.ts'
import { splitScopes } from '../tokens/scopes.ts'

/** Puts what the provider does into the audit log. */
export function auditProvider(provider: Provider, { audit }: Settings): void {
  provider.on('grant.success', (context: KoaContextWithOIDC) => {
    const { AccessToken, ClientCredentials } = context.oidc.entities
    const token = AccessToken ?? ClientCredentials
    const aud: unknown = token?.aud
    audit({
      type: 'token_issued',
      ...about(context),
      subject: AccessToken?.accountId,
      resource: typeof aud === 'string' ? aud : undefined,
      scopes: splitScopes(token?.scope),
    })
  })
  provider.on('grant.error', (context: KoaContextWithOIDC, error: Error) => {
    audit({ type: 'token_refused', ...about(context), reason: reasonOf(error) })
  })
  provider.on('authorization.error', (context: KoaContextWithOIDC, error: Error) => {
    audit({ type: 'authorization_refused', ...about(context), reason: reasonOf(error) })
  })
  provider.on('grant.revoked', (context: KoaContextWithOIDC) => {
    audit({ type: 'grant_revoked', ...about(context) })
  })
  provider.on('registration_create.success', (_context: KoaContextWithOIDC, client) => {
    audit({ type: 'client_registered', clientId: client.clientId })
  })
  provider.on('server_error', (context: KoaContextWithOIDC, error: Error) => {
    audit({ type: 'failure', ...about(context), reason: error.message })
  })
}

function about({ oidc }: KoaContextWithOIDC) {
  const grant = oidc.params?.['grant_type']
  return {
    clientId: oidc.entities.Client?.clientId,
    grant: typeof grant === 'string' ? grant : undefined,
  }
}

function reasonOf(error: Error): string {
  const detail: unknown =
    Reflect.get(error, 'error_detail') ?? Reflect.get(error, 'error_description')
  return typeof detail === 'string' ? `${error.message}: ${detail}` : error.message
}
