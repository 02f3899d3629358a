import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { openGuardedServer } from '../support/guarded-server.ts'
import { createPerson } from '../support/person.ts'
import { openScriptedIssuer } from '../support/scripted-issuer.ts'

describe('credentials for several servers', () => {
  test('never cross, not even through one auth for both [ATOK-09] [ARES-05]', async () => {
    await using issuerA = await openScriptedIssuer()
    await using issuerB = await openScriptedIssuer()
    await using serverA = await openGuardedServer({ issuers: [issuerA] })
    await using serverB = await openGuardedServer({ issuers: [issuerB] })
    const auth = browserAuth({ ...createPerson(), store: createMemoryTokenStore() })

    for (const { url } of [serverA, serverB, serverA]) {
      await (await connect(url, { auth, protocolVersion: 'legacy' })).close()
    }

    const sentTo = ({ calls }: typeof serverA) =>
      calls().flatMap(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? [])
    expect(sentTo(serverA).length).toBeGreaterThan(0)
    expect(sentTo(serverA).every((token) => issuerA.tokens.has(token))).toBe(true)
    expect(sentTo(serverB).every((token) => issuerB.tokens.has(token))).toBe(true)
    expect(issuerA.at('/token').every(({ form }) => form.get('resource') === serverA.url)).toBe(
      true,
    )
    expect(issuerB.at('/token').every(({ form }) => form.get('resource') === serverB.url)).toBe(
      true,
    )
  })

  test('stay with the server they were given to, when another below the origin claims all of it', async () => {
    await using issuer = await openScriptedIssuer()
    const wholeOrigin = (metadata: Record<string, unknown>) => ({
      ...metadata,
      resource: new URL(String(metadata['resource'])).origin,
    })
    await using server = await openGuardedServer({
      issuers: [issuer],
      metadata: wholeOrigin,
      answer({ path, headers }) {
        if (path === '/evil-metadata') {
          const resource = `http://${headers.host}`
          return { body: { resource, authorization_servers: [issuer.issuer] } }
        }
        if (path !== '/evil') return undefined
        const challenge = `Bearer resource_metadata="http://${headers.host}/evil-metadata"`
        return { status: 401, body: 'who?', headers: { 'www-authenticate': challenge } }
      },
    })
    const store = createMemoryTokenStore()
    const [person, asked] = [createPerson(), createPerson()]
    const open = (url: string, { visited: _, ...who } = person) =>
      connect(url, {
        auth: browserAuth({ ...who, store }),
        protocolVersion: 'legacy',
        reconnect: false,
      })

    await (await open(server.url)).close()
    await (await open(server.url)).close()
    await open(`${server.origin}/evil`, asked).catch(() => {}) // it takes no token at all

    const given = ({ headers }: ReturnType<typeof server.calls>[number]) =>
      headers.authorization ?? []
    const good = server.calls().flatMap(given)
    const evil = server.at('/evil').flatMap(given)
    expect(person.visited).toHaveLength(1)
    expect(asked.visited).toHaveLength(1)
    expect(good.length).toBeGreaterThan(0)
    expect(evil.filter((token) => good.includes(token))).toEqual([])
  })

  test('are those of each account', async () => {
    await using issuer = await openScriptedIssuer()
    await using server = await openGuardedServer({ issuers: [issuer] })
    const store = createMemoryTokenStore()
    const person = createPerson()

    for (const account of ['ann', 'bob', 'ann']) {
      const auth = browserAuth({ ...person, store, account })
      await (await connect(server.url, { auth, protocolVersion: 'legacy' })).close()
    }

    expect(person.visited).toHaveLength(2)
    expect(browserAuth({ store }).partition).not.toBe(browserAuth({ store }).partition)
  })

  test('are got from the issuer we are registered at, of those a server names [ADISC-02]', async () => {
    await using first = await openScriptedIssuer()
    await using second = await openScriptedIssuer()
    await using known = await openGuardedServer({ issuers: [second] })
    await using server = await openGuardedServer({
      issuers: [second, first],
      metadata: (metadata) => ({
        ...metadata,
        authorization_servers: [first.issuer, second.issuer],
      }),
    })
    const store = createMemoryTokenStore()
    const person = createPerson()

    for (const { url } of [known, server]) {
      await (
        await connect(url, { auth: browserAuth({ ...person, store }), protocolVersion: 'legacy' })
      ).close()
    }

    expect(first.seen).toEqual([])
    expect(second.at('/authorize')).toHaveLength(2)
    expect(second.at('/register')).toHaveLength(1)
  })

  test('else from the first that has metadata [ADISC-02]', async () => {
    await using empty = await openScriptedIssuer({ metadataAt: [] })
    await using issuer = await openScriptedIssuer()
    await using server = await openGuardedServer({
      issuers: [issuer],
      metadata: (metadata) => ({
        ...metadata,
        authorization_servers: [empty.issuer, issuer.issuer],
      }),
    })
    const auth = browserAuth({ ...createPerson(), store: createMemoryTokenStore() })

    await (await connect(server.url, { auth, protocolVersion: 'legacy' })).close()

    expect(empty.at('/authorize')).toEqual([])
    expect(issuer.at('/authorize')).toHaveLength(1)
  })
})
