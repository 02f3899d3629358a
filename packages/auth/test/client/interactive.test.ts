import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect, type ClientAuth } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { openGuardedServer } from '../support/guarded-server.ts'
import { createPerson } from '../support/person.ts'
import { openScriptedIssuer } from '../support/scripted-issuer.ts'

describe('a person signs in', () => {
  test('with nothing but the URL of the server: registers, signs in, and every request carries the token [AUTH-02] [AUTH-05] [AUTH-09] [AUTH-11] [ADCR-01] [AUTH-07] [ATOK-01] [ATOK-02] [ATOK-03] [ATOK-04] [R0326A-03] [R0326A-14]', async () => {
    await using issuer = await openScriptedIssuer()
    await using server = await openGuardedServer({ issuers: [issuer] })
    const person = createPerson()
    const client = await connect(server.url, {
      auth: browserAuth({ ...person, store: createMemoryTokenStore() }),
      protocolVersion: 'legacy',
    })

    const result = await client.callTool('note', {})
    await client.close()

    expect(result.content).toMatchObject([{ text: 'noted' }])
    const [token] = issuer.tokens.keys()
    const [first, ...others] = server.calls()
    expect(first?.headers.authorization).toBeUndefined()
    expect(new Set(others.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${token}`]),
    )
    expect(new Set(others.map(({ method }) => method))).toContain('DELETE')
    expect(server.seen.every(({ query }) => query.size === 0)).toBe(true)
    expect(issuer.paths()).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'POST /register',
      'GET /authorize',
      'POST /token',
    ])
  })

  test('and not at all at a server that wants nobody to [AUTH-01]', async () => {
    const server = createServer({ name: 'open', version: '1.0.0' })
    await using service = await serveHttp(server, { port: 0, ownsProcess: false })
    const person = createPerson()

    const auth = browserAuth({ ...person, store: createMemoryTokenStore() })
    await (await connect(service.url, { auth })).close()

    expect(person.visited).toEqual([])
  })

  test('nor over standard streams, where credentials are in the environment [AUTH-03]', async () => {
    const program = `
      process.stdin.on('data', (line) => {
        const { id, params } = JSON.parse(line)
        if (id === undefined) return
        const { protocolVersion } = params
        const result = { protocolVersion, capabilities: {}, serverInfo: { name: process.env.TOKEN, version: '1' } }
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })`
    const asked: string[] = []
    const auth: ClientAuth = {
      authorize: async () => ({ asked: String(asked.push('authorize')) }),
      challenged: async () => asked.push('challenged') > 0,
    }
    const entry = {
      command: process.execPath,
      args: ['-e', program],
      env: { TOKEN: 'from-environment' },
    }

    const client = await connect(entry, { auth, protocolVersion: 'legacy' })
    const { info } = client.server
    await client.close()

    expect(info?.name).toBe('from-environment')
    expect(asked).toEqual([])
  })

  test('and connecting waits for that, however little time it has otherwise', async () => {
    await using issuer = await openScriptedIssuer()
    await using server = await openGuardedServer({ issuers: [issuer] })
    const person = createPerson()
    const auth = browserAuth({
      ...person,
      store: createMemoryTokenStore(),
      async open(url) {
        await new Promise((resolve) => setTimeout(resolve, 100)) // longer than connecting may take
        await person.open?.(url)
      },
    })

    const client = await connect(server.url, {
      auth,
      protocolVersion: 'legacy',
      timeouts: { connectMs: 50 },
    })
    await client.close()

    expect(person.visited).toHaveLength(1)
  })

  test('in at most eight requests', async () => {
    await using issuer = await openScriptedIssuer()
    await using server = await openGuardedServer({ issuers: [issuer] })
    const auth = browserAuth({ ...createPerson(), store: createMemoryTokenStore() })

    await (await connect(server.url, { auth, protocolVersion: 'legacy' })).close()

    const discovery = server.seen.filter(({ path }) => path !== '/mcp')
    expect(issuer.seen.length + discovery.length).toBeLessThanOrEqual(8)
  })
})
