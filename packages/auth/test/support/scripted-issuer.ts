import { createHash, randomUUID } from 'node:crypto'

import { openLoggedServer, type Answer, type LoggedServer, type Seen } from './http-log.ts'

/** What a token of the issuer stands for. */
export interface IssuedToken {
  readonly resource: string | null
  readonly scopes: readonly string[]
  readonly clientId: string
  expiresAt: number
  isRevoked: boolean
}

export interface ScriptedIssuer extends LoggedServer {
  readonly issuer: string
  readonly tokens: Map<string, IssuedToken>
  readonly clients: Map<
    string,
    { readonly redirectUris: readonly string[]; readonly secret?: string }
  >
  /** Access tokens that were given for a refresh token. */
  refreshes: number
  /** Refresh tokens that came twice. */
  reuses: number
  /** All refresh tokens, and whether they were spent. */
  readonly refreshTokens: Map<string, { clientId: string; scope: string; isSpent: boolean }>
}

export interface IssuerScript {
  /** @defaultValue '' */
  readonly path?: string | undefined
  /** Where metadata is served; `ISSUER` paths. @defaultValue the first place RFC 8414 names */
  readonly metadataAt?: readonly string[] | undefined
  /** Changes the metadata. */
  readonly metadata?: ((metadata: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** Answers a request in its own way. */
  readonly answer?: ((seen: Seen, issuer: ScriptedIssuer) => Answer | undefined) | undefined
  /** Changes where the browser is sent. */
  readonly callback?: ((url: URL) => URL) | undefined
  /** @defaultValue 3600 */
  readonly expiresIn?: number | undefined
  /** @defaultValue true */
  readonly givesRefreshTokens?: boolean | undefined
  /** What is granted of what is asked. @defaultValue all */
  readonly grants?: ((scopes: readonly string[]) => readonly string[]) | undefined
}

interface Code {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly resource: string | null
  readonly scope: string
}

/** An authorization server on loopback that does what a test tells it, and OAuth where it tells nothing. */
export async function openScriptedIssuer(script: IssuerScript = {}): Promise<ScriptedIssuer> {
  const { path = '', expiresIn = 3600, givesRefreshTokens = true } = script
  const codes = new Map<string, Code>()
  const tokens: ScriptedIssuer['tokens'] = new Map()
  const clients: ScriptedIssuer['clients'] = new Map()
  const refreshTokens: ScriptedIssuer['refreshTokens'] = new Map()
  const logged = await openLoggedServer((seen) => script.answer?.(seen, self) ?? answer(seen))
  const issuer = `${logged.origin}${path}`
  const self: ScriptedIssuer = {
    ...logged,
    [Symbol.asyncDispose]: () => logged[Symbol.asyncDispose](),
    issuer,
    tokens,
    clients,
    refreshTokens,
    refreshes: 0,
    reuses: 0,
  }
  const places = script.metadataAt ?? [`/.well-known/oauth-authorization-server${path}`]

  function answer(seen: Seen): Answer {
    if (places.includes(seen.path)) return { body: metadata() }
    switch (seen.path) {
      case `${path}/register`:
        return register(seen)
      case `${path}/authorize`:
        return authorize(seen)
      case `${path}/token`:
        return token(seen)
      default:
        return { status: 404, body: 'nothing here' }
    }
  }

  function metadata(): Record<string, unknown> {
    const plain = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    }
    return script.metadata?.(plain) ?? plain
  }

  function register({ body }: Seen): Answer {
    const asked = JSON.parse(body) as {
      redirect_uris: string[]
      token_endpoint_auth_method: string
    } // ours
    const id = `client-${clients.size + 1}`
    const isPublic = asked.token_endpoint_auth_method === 'none'
    clients.set(id, { redirectUris: asked.redirect_uris, ...(!isPublic && { secret: 'secret' }) })
    const secret = isPublic ? {} : { client_secret: 'secret', client_secret_expires_at: 0 }
    return { status: 201, body: { ...asked, client_id: id, ...secret } }
  }

  function authorize({ query }: Seen): Answer {
    const code = randomUUID()
    const redirectUri = query.get('redirect_uri') ?? ''
    codes.set(code, {
      clientId: query.get('client_id') ?? '',
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      resource: query.get('resource'),
      scope: query.get('scope') ?? '',
    })
    const url = new URL(redirectUri)
    url.searchParams.set('code', code)
    url.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, headers: { location: (script.callback?.(url) ?? url).href } }
  }

  function token(seen: Seen): Answer {
    const { form } = seen
    switch (form.get('grant_type') ?? '') {
      case 'authorization_code': {
        const code = codes.get(form.get('code') ?? '')
        codes.delete(form.get('code') ?? '')
        const hash = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        const isRight = code?.challenge === hash && code.redirectUri === form.get('redirect_uri')
        if (!isRight || code.clientId !== clientOf(seen)) return rejected('invalid_grant')
        return give(code.clientId, code.scope, form.get('resource'))
      }
      case 'refresh_token': {
        const kept = refreshTokens.get(form.get('refresh_token') ?? '')
        if (kept === undefined || kept.clientId !== clientOf(seen)) return rejected('invalid_grant')
        if (kept.isSpent) {
          self.reuses += 1
          for (const one of refreshTokens.values()) one.isSpent = true // the whole family is gone
          return rejected('invalid_grant')
        }
        kept.isSpent = true
        self.refreshes += 1
        return give(kept.clientId, kept.scope, form.get('resource'))
      }
      case 'client_credentials':
      case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
        return give(clientOf(seen), form.get('scope') ?? '', form.get('resource'), false)
      default:
        return rejected('unsupported_grant_type')
    }
  }

  function give(clientId: string, scope: string, resource: string | null, refresh = true): Answer {
    const accessToken = `access-${randomUUID()}`
    const asked = scope.split(' ').filter(Boolean)
    const scopes = script.grants?.(asked) ?? asked
    const expiresAt = Date.now() + expiresIn * 1000
    tokens.set(accessToken, { clientId, scopes, resource, expiresAt, isRevoked: false })
    const refreshToken = `refresh-${randomUUID()}`
    const hasRefresh = refresh && givesRefreshTokens
    if (hasRefresh) refreshTokens.set(refreshToken, { clientId, scope, isSpent: false })
    return {
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: expiresIn,
        scope: scopes.join(' '),
        ...(hasRefresh && { refresh_token: refreshToken }),
      },
    }
  }
  return self
}

/** An error of the token endpoint. */
export function rejected(error: string, description?: string): Answer {
  const words = description === undefined ? {} : { error_description: description }
  return { status: 400, body: { error, ...words } }
}

/** Who a request says it is, by Basic or in its body. */
export function clientOf({ form, headers }: Seen): string {
  const basic = /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return form.get('client_id') ?? ''
  const [id = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  return decodeURIComponent(id)
}
