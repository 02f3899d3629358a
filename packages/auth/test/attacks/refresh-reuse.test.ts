import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createFileTokenStore } from '@parley/auth/node'
import { describe, expect, test, vi } from 'vitest'

import { openWorld } from '../support/world.ts'

describe('refresh reuse: a refresh token comes twice, and the issuer takes the whole family away', () => {
  test('clients that share files refresh one after the other, and the later ones take what the first got [ASEC-06]', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const directory = await mkdtemp(join(tmpdir(), 'auth-reuse-'))
    await using world = await openWorld()
    const open = () => world.connect({ store: createFileTokenStore({ directory }) })
    await (await open()).close()
    const clients = await Promise.all([open(), open(), open(), open()])

    for (let round = 0; round < 3; round += 1) {
      for (const token of world.issuer.tokens.values()) token.isRevoked = true
      await Promise.all(clients.map((client) => client.callTool('note', {})))
    }
    await Promise.all(clients.map((client) => client.close()))
    await rm(directory, { recursive: true })

    expect(world.issuer).toMatchObject({ refreshes: 3, reuses: 0 })
    expect(world.person.visited).toHaveLength(1)
  })

  test('a thief who was faster costs a sign-in, and nothing is sent twice', async () => {
    await using world = await openWorld()
    await using client = await world.connect()
    for (const token of world.issuer.refreshTokens.values()) token.isSpent = true
    for (const token of world.issuer.tokens.values()) token.isRevoked = true

    await client.callTool('note', {})

    const presented = world.issuer
      .at('/token')
      .flatMap(({ form }) => form.get('refresh_token') ?? [])
    expect(new Set(presented).size).toBe(presented.length)
    expect(world.person.visited).toHaveLength(2)
  })
})
