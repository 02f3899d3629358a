/** Who is calling, typed: `app` makes your own values once for each request, and every handler gets them. */

import { RpcError } from '@parley/mcp'
import {
  createServer,
  defineTool,
  type Context,
  type RequestContext,
  type Server,
} from '@parley/mcp/server'
import { z } from 'zod'

export interface User {
  readonly id: string
  readonly plan: 'free' | 'pro'
}

/** What handlers find in `context.app`. */
export interface App {
  readonly user: User
}

// A tool in a file of its own says which `app` it needs by annotating its context.
const greet = defineTool(
  'greet',
  { inputSchema: z.object({ greeting: z.string().default('Hello') }) },
  ({ greeting }, { app }: Context<App>) => `${greeting}, ${app.user.id}!`,
)

const exportAll = defineTool(
  'export_all',
  {
    description: 'Everything as one archive',
    scopes: ['export'],
    // Hidden from others in every way: not listed, and calling it is calling something unknown.
    visible: ({ app }: RequestContext<App>) => app.user.plan === 'pro',
  },
  (_, { app }: Context<App>) => `archive of ${app.user.id}`,
)

export function createAccountServer(users: ReadonlyMap<string, User>): Server<App> {
  const server = createServer({
    name: 'account',
    version: '1.0.0',
    app({ auth }): App {
      const user = auth && users.get(auth.subject)
      if (!user) throw new RpcError('unauthorized', 'there is no account for this caller')
      return { user }
    },
  })
  server.add(greet, exportAll)
  return server
}
