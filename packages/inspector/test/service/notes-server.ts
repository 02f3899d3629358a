import { oauthGuard } from '@parley/auth/resource'
import { createDemoAuth } from '@parley/auth/server'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'

import { findFreePort } from '../../../../test-support/free-port.ts'

/** Reading is for everybody who signed in, writing takes one scope more. */
export async function serveNotes() {
  const url = new URL('/mcp', `http://127.0.0.1:${await findFreePort()}`)
  const scopes = { 'notes:read': 'Read notes', 'notes:write': 'Change notes' }
  const { authServer, user, password } = await createDemoAuth({ url, scopes })
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('read', {}, () => 'a note')
  server.tool('write', { scopes: ['notes:write'] }, () => 'written')
  const service = await serveHttp(server, {
    port: Number(url.port),
    path: '/mcp',
    ownsProcess: false,
    url,
    auth: oauthGuard({ issuer: authServer, scopes: ['notes:read'] }),
  })
  return { url, user, password, service }
}
