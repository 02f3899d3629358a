import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { formatChallenge, parseChallenges } from '../../src/shared/challenge.ts'
import { openWorld } from '../support/world.ts'

describe('WWW-Authenticate injection: what is in a header becomes more than it was', () => {
  test('a value we write cannot end its quotes, its challenge or its line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        let header: string
        try {
          header = formatChallenge('Bearer', { scope: value, error: 'invalid_token' })
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          return
        }
        expect(header).not.toMatch(/[\r\n\0]/)
        const [only, ...others] = parseChallenges(header)
        expect(others).toEqual([])
        expect(Object.fromEntries(only?.parameters ?? [])).toEqual({
          scope: value,
          error: 'invalid_token',
        })
      }),
    )
  })

  test.each([
    [
      'two places for its metadata',
      'Bearer resource_metadata="/a", resource_metadata="https://evil.example"',
    ],
    ['a scope that hides another challenge', 'Bearer scope="a\\", Bearer scope=\\"b"'],
    ['quotes that do not close', 'Bearer resource_metadata="https://evil.example'],
  ])('a challenge with %s is read as one or none', async (_, challenge) => {
    await using world = await openWorld({ server: { challenge: () => challenge } })

    await (await world.connect()).close()

    expect(world.server.paths()).toContain('GET /.well-known/oauth-protected-resource/mcp')
    expect(parseChallenges(challenge).length).toBeLessThan(2)
  })

  test.each(['a b\tc', 'a"b', 'x'.repeat(7000)])(
    'the scope %j of a challenge does not break out of the request',
    async (scope) => {
      await using world = await openWorld({
        server: { challenge: () => `Bearer scope="${scope.replaceAll('"', '\\"')}"` },
      })

      await (await world.connect()).close()

      const asked = world.person.visited[0]?.searchParams
      expect(asked?.get('scope')?.length).toBe(scope.length)
      expect(asked?.getAll('client_id')).toHaveLength(1)
    },
  )

  test('one longer than 8 kB is not read', async () => {
    await using world = await openWorld({
      server: { challenge: () => `Bearer scope="${'x '.repeat(5000)}"` },
    })

    await (await world.connect()).close()

    expect(world.person.visited[0]?.searchParams.has('scope')).toBe(false)
  })
})
