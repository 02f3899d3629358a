import { randomUUID } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'

import { createAdaptorServer } from '@hono/node-server'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth as requireBearerV1 } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  OAuthMetadataSchema,
  type OAuthClientInformationFull,
  type OAuthMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import {
  createMcpHandler,
  McpServer as McpServerV2,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth as requireBearerV2,
} from '@modelcontextprotocol/server'
import express, { type Express, type RequestHandler } from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { onTestFinished } from 'vitest'

import { listenAuthServer } from '../server/listening.ts'
import { freePort, scopes, users } from './protected-notes.ts'

const scopesSupported = Object.keys(scopes)
const identity = { name: 'official', version: '1.0.0' }
const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** Where a server is protected, and what a person signs in at. */
interface Place {
  readonly url: URL
  readonly oauthMetadata: OAuthMetadata
  verify(token: string): Promise<AuthInfo>
}

/** Our authorization server, for a server that will be at `url`. */
async function openPlace(): Promise<Place> {
  const url = new URL(`http://127.0.0.1:${await freePort()}/mcp`)
  const issuer = await listenAuthServer({ resources: [url.href], users, clients: [] })
  onTestFinished(() => issuer[Symbol.asyncDispose]())
  const metadata = await fetch(`${issuer.issuer}/.well-known/oauth-authorization-server`)
  const keys = createRemoteJWKSet(new URL(issuer.server.jwksUri))
  return {
    url,
    oauthMetadata: OAuthMetadataSchema.parse(await metadata.json()),
    async verify(token) {
      const { payload } = await jwtVerify(token, keys, { issuer: issuer.issuer })
      return {
        token,
        clientId: String(payload['client_id']),
        scopes: String(payload['scope']).split(' '),
        resource: new URL(String(payload.aud)),
        expiresAt: payload.exp ?? 0,
      }
    },
  }
}

/** The first generation behind its bearer middleware, with our authorization server. */
export async function serveOfficialV1(): Promise<URL> {
  const { url, oauthMetadata, verify } = await openPlace()
  const app = express()
  app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url, scopesSupported }))
  const verifyAccessToken = (token: string) =>
    verify(token).catch(() => Promise.reject(new InvalidTokenError('not a token of ours')))
  serveToolsV1(app, (requiredScopes) =>
    requireBearerV1({
      verifier: { verifyAccessToken },
      requiredScopes,
      expectedResource: url,
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
    }),
  )
  await listen(url, (port) => app.listen(port, '127.0.0.1'))
  return url
}

/** The first generation with its own authorization server, which lets everybody in. */
export async function serveOfficialIssuer(): Promise<URL> {
  const url = new URL(`http://127.0.0.1:${await freePort()}/mcp`)
  const provider = createForgivingProvider()
  const app = express()
  const issuerUrl = new URL(url.origin)
  app.use(mcpAuthRouter({ provider, issuerUrl, resourceServerUrl: url, scopesSupported }))
  serveToolsV1(app, (requiredScopes) =>
    requireBearerV1({
      verifier: provider,
      requiredScopes,
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
    }),
  )
  await listen(url, (port) => app.listen(port, '127.0.0.1'))
  return url
}

/** The second generation behind its gate for fetch handlers, with our authorization server. */
export async function serveOfficialV2(): Promise<URL> {
  const { url, oauthMetadata, verify } = await openPlace()
  const handler = createMcpHandler(() => {
    const server = new McpServerV2(identity)
    server.registerTool('read', {}, () => answer('read'))
    server.registerTool('write', {}, () => answer('written'))
    return server
  })
  const verifyAccessToken = (token: string) =>
    verify(token).catch(() =>
      Promise.reject(new OAuthError(OAuthErrorCode.InvalidToken, 'not a token of ours')),
    )
  const gate = (requiredScopes: string[]) =>
    requireBearerV2({
      verifier: { verifyAccessToken },
      requiredScopes,
      expectedResource: url,
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
    })
  const http = createAdaptorServer({
    async fetch(request: Request) {
      const options = { oauthMetadata, resourceServerUrl: url, scopesSupported }
      const metadata = oauthMetadataResponse(request, options)
      if (metadata !== undefined) return metadata
      const body: unknown = await request
        .clone()
        .json()
        .catch(() => undefined)
      const auth = await gate(scopesFor(body))(request)
      return auth instanceof Response ? auth : handler.fetch(request, { authInfo: auth })
    },
  })
  await listen(url, (port) => http.listen(port, '127.0.0.1') as HttpServer) // plain HTTP was asked for
  return url
}

/** What a request needs: the middleware knows nothing of tools. */
function scopesFor(body: unknown): string[] {
  const isWrite = (JSON.stringify(body) ?? '').includes('"name":"write"')
  return isWrite ? scopesSupported : ['notes:read']
}

function serveToolsV1(app: Express, guard: (scopes: string[]) => RequestHandler): void {
  app.all(
    '/mcp',
    express.json(),
    (request, response, next) => guard(scopesFor(request.body))(request, response, next),
    (...exchange) => void answerV1(...exchange),
  )
}

async function answerV1(...[request, response]: Parameters<RequestHandler>): Promise<void> {
  const server = new McpServerV1(identity)
  server.registerTool('read', {}, () => answer('read'))
  server.registerTool('write', {}, () => answer('written'))
  const transport = new StreamableHTTPServerTransport({})
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
}

/** Keeps everything in memory, and asks nobody. */
function createForgivingProvider(): OAuthServerProvider {
  const clients = new Map<string, OAuthClientInformationFull>()
  const codes = new Map<string, { challenge: string; scopes: string[] }>()
  const tokens = new Map<string, AuthInfo>()

  function issue(clientId: string, given: string[]) {
    const token = randomUUID()
    const expiresAt = Math.floor(Date.now() / 1000) + 600
    tokens.set(token, { token, clientId, scopes: given, expiresAt })
    return { access_token: token, token_type: 'bearer', expires_in: 600, scope: given.join(' ') }
  }

  return {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient(given) {
        const client = { client_id: randomUUID(), ...given }
        clients.set(client.client_id, client)
        return client
      },
    },
    async authorize(_client, { redirectUri, state, codeChallenge, scopes: asked }, response) {
      const code = randomUUID()
      codes.set(code, { challenge: codeChallenge, scopes: asked ?? [] })
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({ code, state: state ?? '' }).toString()
      response.redirect(back.href)
    },
    challengeForAuthorizationCode: async (_client, code) => codes.get(code)?.challenge ?? '',
    exchangeAuthorizationCode: async (client, code) =>
      issue(client.client_id, codes.get(code)?.scopes ?? []),
    exchangeRefreshToken: async (client, _token, asked) => issue(client.client_id, asked ?? []),
    async verifyAccessToken(token) {
      const known = tokens.get(token)
      if (known === undefined) throw new InvalidTokenError('not a token of ours')
      return known
    },
  }
}

async function listen(url: URL, start: (port: number) => HttpServer): Promise<void> {
  const http = start(Number(url.port))
  await new Promise<void>((resolve) => http.once('listening', resolve))
  onTestFinished(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
}
