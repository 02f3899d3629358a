import type { ClientAuth } from '@parley/mcp/client'

import { AuthError } from '../../shared/auth-error.ts'
import { findIssuer, type TokenIssuer } from '../issuer/issuer-metadata.ts'
import { settingsFor } from '../issuer/known-issuers.ts'
import type { TokenOptions } from '../options.ts'
import { silentAuth } from '../sign-in/silent.ts'
import type { Need } from '../strategy.ts'
import { tokenOf, requestToken } from '../tokens/token-request.ts'
import { findIdentity } from './choose-identity.ts'
import type { ClientIdentity } from './client-identity.ts'

/** The identity provider, the employee, and who we are at the server's issuer. */
export interface EnterpriseAuthOptions extends TokenOptions {
  /**
   * The company's identity provider, and this program as its client. @defaultValue for `tokenEndpoint`: from its
   * metadata
   */
  readonly idp: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret?: string | undefined
    /** Where its metadata is not to be asked. */
    readonly tokenEndpoint?: string | undefined
  }
  /** The employee's ID token from there. Asked for whenever a token is needed. */
  readonly idToken: () => string | Promise<string>
  /** The type of the token that `idToken` returns, if it is the employee's access token. @defaultValue 'id_token' */
  readonly subjectTokenType?: 'id_token' | 'access_token' | undefined
  /** The client id of this program at the issuer of the server. */
  readonly clientId: string
  /** Its secret there. @defaultValue a public client */
  readonly clientSecret?: string | undefined
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const idJag = 'urn:ietf:params:oauth:token-type:id-jag'
const tokenTypes = {
  id_token: 'urn:ietf:params:oauth:token-type:id_token',
  access_token: 'urn:ietf:params:oauth:token-type:access_token',
} as const

/** An employee signed in at the company's identity provider (ID-JAG). */
export function enterpriseAuth(options: EnterpriseAuthOptions): ClientAuth {
  const { idp, idToken, subjectTokenType = 'id_token' } = options

  async function findProvider({ http }: Need): Promise<TokenIssuer> {
    const settings = settingsFor(idp.issuer, options.issuers)
    if (idp.tokenEndpoint === undefined) return findIssuer(idp.issuer, settings, http)
    const server = { issuer: idp.issuer, token_endpoint: idp.tokenEndpoint }
    return { id: idp.issuer, server, settings }
  }

  /** The provider's word that this employee may use that server through this client. */
  async function exchange(need: Need): Promise<string> {
    const { target, scopes, http } = need
    const issuer = await findProvider(need)
    const { clientId: id, clientSecret: secret } = idp
    const identity: ClientIdentity = { id, source: 'configured', secret }
    const parameters = {
      requested_token_type: idJag,
      audience: target.issuer.id,
      resource: target.resource,
      subject_token: await idToken(),
      subject_token_type: tokenTypes[subjectTokenType],
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    }
    const call = { issuer, identity, resource: target.resource, dpop: undefined, http }
    const presented = { kind: 'other', grantType: tokenExchange, parameters } as const
    const token = tokenOf(await requestToken(presented, call), call, 'token')
    if (token['issued_token_type'] === idJag) return token.access_token
    throw new AuthError(
      'token_refused',
      `${issuer.id} issued a different type of token from the one requested`,
      {
        step: 'token',
        issuer: issuer.id,
      },
    )
  }

  return silentAuth({
    options,
    async identify({ target, store }) {
      const identity = await findIdentity(target.issuer, options, store, target.resource)
      return identity ?? { id: options.clientId, source: 'configured' }
    },
    async present(need) {
      return {
        kind: 'other',
        grantType: jwtBearer,
        parameters: { assertion: await exchange(need) },
      }
    },
  })
}

/** The identity, and how it is presented. */
export interface WorkloadAuthOptions extends TokenOptions {
  /** A JWT that the platform gave this program, for this issuer. Asked for whenever a token is needed. */
  readonly assertion: () => string | Promise<string>
  /** The client id of this program at the issuer, where it asks for one. */
  readonly clientId?: string | undefined
}

/** The grant type of RFC 7523. */
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A program with an identity from its platform (RFC 7523). @experimental */
export function workloadAuth(options: WorkloadAuthOptions): ClientAuth {
  const { assertion, clientId = '' } = options
  return silentAuth({
    options,
    identify: async () => ({ id: clientId, source: 'configured', method: 'none' }),
    async present() {
      return { kind: 'other', grantType: jwtBearer, parameters: { assertion: await assertion() } }
    },
  })
}
