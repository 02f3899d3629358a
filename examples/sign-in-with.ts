import { join } from 'node:path'

import { isAuthError } from '@parley/auth'
import { oauthGuard, upstream } from '@parley/auth/resource'
import { createAuthServer, github, createFileAuthServerStore } from '@parley/auth/server'
import { ToolError } from '@parley/mcp'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'

/** Repositories of whoever calls: people sign in with GitHub, and tools ask GitHub as them. */
export async function serveRepositories(options: {
  readonly url: URL
  /** Where sign-ins are kept. */
  readonly folder: string
  /** An OAuth App or GitHub App whose callback URL is `<origin>/sign-in-callback/github`. */
  readonly app: { readonly clientId: string; readonly clientSecret: string }
  /** Encrypts the users' tokens; at least 32 characters, and not in the folder. */
  readonly secret: string
  /** Of GitHub Enterprise Server. @defaultValue GitHub itself */
  readonly githubUrl?: string
}): Promise<HttpService> {
  const { url, folder, app, secret, githubUrl } = options
  const api = githubUrl === undefined ? 'https://api.github.com' : `${githubUrl}/api/v3`

  const authServer = await createAuthServer({
    issuer: url.origin,
    resources: [url.href],
    name: 'Repositories',
    signInWith: github({ ...app, url: githubUrl, scopes: ['read:user', 'repo'] }),
    secret,
    store: createFileAuthServerStore(join(folder, 'sign-ins')),
  })

  const server = createServer({ name: 'repositories', version: '1.0.0' })
  server.tool('list_repositories', {}, async (_, { auth }) => {
    try {
      const answer = await upstream(auth, 'github')(`${api}/user/repos?per_page=20`)
      if (!answer.ok) throw new ToolError(`GitHub answered with status ${answer.status}`)
      const repositories = (await answer.json()) as readonly { full_name: string }[] // as its API says
      return repositories.map((one) => one.full_name).join('\n') || 'no repositories'
    } catch (error) {
      if (isAuthError(error, 'grant_lost')) throw new ToolError('Sign in with GitHub again.')
      throw error
    }
  })

  return serveHttp(server, {
    url,
    port: Number(url.port),
    ownsProcess: false,
    auth: oauthGuard({ issuer: authServer }),
  })
}
