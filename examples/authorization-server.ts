import { join } from 'node:path'

import { oauthGuard } from '@parley/auth/resource'
import {
  createAuthServer,
  createLocalUsers,
  createFileAuthServerStore,
  type LocalUsers,
} from '@parley/auth/server'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'

/** Notes that people sign in for: the server and its authorization server in one program, at one address. */
export async function serveNotes(options: {
  readonly url: URL
  /** Where people, keys and sign-ins are kept. */
  readonly folder: string
}): Promise<{ service: HttpService; users: LocalUsers }> {
  const { url, folder } = options
  const users = createLocalUsers(join(folder, 'users.json'))

  const authServer = await createAuthServer({
    issuer: url.origin,
    resources: [url.href],
    users,
    store: createFileAuthServerStore(join(folder, 'sign-ins')),
    name: 'Notes',
    scopes: { 'notes:read': 'read your notes', 'notes:write': 'change your notes' },
    audit: ({ type, subject, clientId, reason }) =>
      console.error(type, { subject, clientId, reason }),
  })

  const notes = new Map<string, string[]>()
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('list_notes', { scopes: ['notes:read'] }, (_, { auth }) => {
    return (notes.get(auth?.subject ?? '') ?? []).join('\n') || 'no notes'
  })

  const service = await serveHttp(server, {
    url,
    port: Number(url.port),
    ownsProcess: false,
    auth: oauthGuard({ issuer: authServer }),
  })
  return { service, users }
}
