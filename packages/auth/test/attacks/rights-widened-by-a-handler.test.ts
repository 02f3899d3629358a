import { bearerAuth } from '@parley/auth/client'
import { oauthGuard } from '@parley/auth/resource'
import { connect } from '@parley/mcp/client'
import { createMcpHandler } from '@parley/mcp/http'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

const url = 'https://notes.example.com/mcp'

test('a handler cannot change what later requests with the same token may do [ASEC-18]', async () => {
  const claims = { groups: ['readers'] }
  const caller = {
    issuer: 'https://keys.example',
    subject: 'ada',
    clientId: 'app',
    scopes: new Set(['read']),
    audience: [url],
    expiresAt: Infinity,
    claims,
  }
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('widen', {}, (_, { auth }) => {
    const { scopes, claims: shown } = auth as unknown as typeof caller // as JavaScript has it
    const attempts = [
      () => scopes.add('write'),
      () => shown.groups.push('admins'),
      () => Object.assign(shown, { role: 'admin' }),
    ]
    return attempts.map(outcomeOf).join(' ')
  })
  server.tool('write', { scopes: ['write'] }, () => 'wrote')
  server.tool('claims', {}, (_, { auth }) => JSON.stringify(auth?.claims))
  await using handler = createMcpHandler(server, {
    url,
    auth: oauthGuard({ issuer: caller.issuer, verify: async () => caller }),
  })
  const fetch = (...request: ConstructorParameters<typeof Request>) =>
    handler.fetch(new Request(...request))
  await using client = await connect(url, {
    auth: bearerAuth('good'),
    fetch,
    protocolVersion: '2026-07-28',
  })

  const text = async (tool: string) => (await client.callTool(tool, {})).content
  expect(await text('widen')).toMatchObject([{ text: 'refused refused refused' }])
  await expect(text('write')).rejects.toThrow('403')
  expect(await text('claims')).toMatchObject([{ text: '{"groups":["readers"]}' }])

  claims.groups.push('ours') // what the verifier gave stays its own
})

function outcomeOf(attempt: () => unknown): string {
  try {
    attempt()
    return 'changed'
  } catch {
    return 'refused'
  }
}
