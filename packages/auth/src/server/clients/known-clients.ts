import type { ClientMetadata } from 'oidc-provider'

import type { UserGrant, DescribedClient } from '../options.ts'
import type { Settings } from '../settings.ts'
import { redirectKind } from './client-metadata.ts'

/** The grant type of RFC 7523. */
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Stands for programs that have an assertion of their platform and no client id. */
export const workloadClient = 'urn:parley:workload'

/** The clients that were agreed on, as the provider knows them. */
export function describeClients({ clients, trust }: Settings): ClientMetadata[] {
  const described = clients.map(describeClient)
  if (!trust.some(({ kind }) => kind === 'workload')) return described
  const workload: ClientMetadata = {
    client_id: workloadClient,
    grant_types: [jwtBearer],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'none',
  }
  return [...described, workload]
}

function describeClient(client: DescribedClient): ClientMetadata {
  const { clientId, clientSecret, keys, name, redirectUris = [] } = client
  const hasPages = redirectUris.length > 0
  const byDefault: readonly UserGrant[] = hasPages
    ? ['authorization_code', 'refresh_token']
    : ['client_credentials']
  const grants = client.grants ?? byDefault
  return {
    client_id: clientId,
    ...(name !== undefined && { client_name: name }),
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(keys !== undefined && { jwks: { keys: [...keys] } }),
    redirect_uris: [...redirectUris],
    application_type: redirectUris.every((uri) => redirectKind(uri) === 'web') ? 'web' : 'native',
    response_types: grants.includes('authorization_code') ? ['code'] : [],
    grant_types: grants.map((grant) => (grant === 'jwt-bearer' ? jwtBearer : grant)),
    token_endpoint_auth_method: methodOf(client),
  }
}

/** A secret is taken in the header and, since many clients do that, in the body: see the front. */
function methodOf({
  clientSecret,
  keys,
}: DescribedClient): NonNullable<ClientMetadata['token_endpoint_auth_method']> {
  if (keys !== undefined) return 'private_key_jwt'
  return clientSecret === undefined ? 'none' : 'client_secret_basic'
}
