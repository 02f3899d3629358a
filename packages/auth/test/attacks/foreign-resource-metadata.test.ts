import { describe, expect, test } from 'vitest'

import { openLoggedServer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

describe('foreign PRM: a server is described by, or as, somebody else', () => {
  test('a challenge that leads to another origin leads nowhere', async () => {
    await using evil = await openLoggedServer(() => ({ body: {} }))
    await using world = await openWorld({
      server: { challenge: () => `Bearer resource_metadata="${evil.origin}/prm"`, metadataAt: [] },
    })

    expect((await authErrorOf(world.connect())).code).toBe('address_refused')
    expect(evil.seen).toEqual([])
    expect(world.issuer.seen).toEqual([])
  })

  test.each([
    ['another server', 'https://victim.example/mcp'],
    ['another path of the origin', undefined],
  ])('tokens for %s are not asked for [AINH-03] [ARES-03]', async (_, resource) => {
    await using world = await openWorld({
      server: {
        metadata: (metadata) => ({
          ...metadata,
          resource: resource ?? `${String(metadata['resource'])}-other`,
        }),
      },
    })

    expect((await authErrorOf(world.connect())).code).toBe('resource_mismatch')
    expect(world.issuer.seen).toEqual([])
    expect(world.person.visited).toEqual([])
  })
})
