import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  chooseScopes,
  hasScopes,
  splitScopes,
  withOfflineAccess,
} from '../../src/client/tokens/scopes.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })

describe('choosing scopes', () => {
  test('what the challenge names, else all that the server lists, else none [N11-AUTH-13] [N11-AUTH-14]', () => {
    expect(chooseScopes({ challenged: ['x'], supported: ['y', 'z'] })).toEqual(['x'])
    expect(chooseScopes({ supported: ['y', 'z'] })).toEqual(['y', 'z'])
    expect(chooseScopes({})).toEqual([])
    expect(chooseScopes({ configured: ['m'], challenged: ['x'], supported: ['y'] })).toEqual([
      'm',
      'x',
    ])
  })

  test('never less than before, never less than is wanted, nothing twice [N07-AUTH-08]', () => {
    fc.assert(
      fc.property(names, names, (earlier, challenged) => {
        const chosen = chooseScopes({ earlier, challenged })

        expect(hasScopes(chosen, [...earlier, ...challenged])).toBe(true)
        expect(new Set(chosen).size).toBe(chosen.length)
      }),
    )
  })

  test('offline_access only where the issuer lists it [N07-AUTH-11]', () => {
    expect(withOfflineAccess(['a'], ['a', 'offline_access'])).toEqual(['a', 'offline_access'])
    expect(withOfflineAccess(['a'], ['a'])).toEqual(['a'])
    expect(withOfflineAccess(['a'], undefined)).toEqual(['a'])
    expect(withOfflineAccess(['offline_access'], ['offline_access'])).toEqual(['offline_access'])
    expect(withOfflineAccess(['a'], ['offline_access'], 'never')).toEqual(['a'])
  })

  test('blanks separate', () => {
    expect(splitScopes(' a  b ')).toEqual(['a', 'b'])
    expect(splitScopes('')).toBeUndefined()
  })
})

describe('asking for scopes', () => {
  test.each<[string, string | undefined, string[] | undefined, string | null]>([
    ['of the challenge', 'one two', ['three'], 'one two'],
    ['the server lists', undefined, ['three', 'four'], 'three four'],
    ['of nobody', undefined, undefined, null],
  ])('%s [N11-AUTH-14]', async (_, challenged, supported, asked) => {
    await using world = await openWorld({
      server: {
        challenge: () => (challenged === undefined ? 'Bearer' : `Bearer scope="${challenged}"`),
        metadata: (metadata) => ({
          ...metadata,
          ...(supported && { scopes_supported: supported }),
        }),
      },
    })

    await (await world.connect()).close()

    expect(world.issuer.at('/authorize')[0]?.query.get('scope')).toBe(asked)
  })

  test('for more when a call needs more, with all that was asked for before [N11-AUTH-16] [N07-AUTH-08] [ATOK-01]', async () => {
    await using world = await openWorld({
      server: {
        challenge: () => 'Bearer scope="read"',
        scopes: (method) => (method === 'tools/call' ? ['write'] : ['read']),
      },
    })
    await using client = await world.connect()

    await client.callTool('note', {})
    await client.callTool('note', {})

    expect(world.issuer.at('/authorize').map(({ query }) => query.get('scope'))).toEqual([
      'read',
      'read write',
    ])
  })

  test('is given up after two attempts, and not begun again for the next call [N11-AUTH-16]', async () => {
    await using world = await openWorld({
      issuer: { grants: () => ['read'] },
      server: {
        challenge: () => 'Bearer scope="read"',
        scopes: (method) => (method === 'tools/call' ? ['write'] : ['read']),
      },
    })
    await using client = await world.connect()

    const first = await authErrorOf(client.callTool('note', {}))
    const visits = world.person.visited.length
    const second = await authErrorOf(client.callTool('note', {}))

    expect(first.code).toBe('insufficient_scope')
    expect(second.code).toBe('insufficient_scope')
    expect(visits).toBe(3)
    expect(world.person.visited).toHaveLength(3)
  })

  test('is not begun for a refusal that scopes would not change', async () => {
    await using world = await openWorld({
      server: {
        answer: ({ body }) =>
          body.includes('tools/call')
            ? {
                status: 403,
                body: 'no',
                headers: { 'www-authenticate': 'Bearer error="access_denied"' },
              }
            : undefined,
      },
    })
    await using client = await world.connect()

    await expect(client.callTool('note', {})).rejects.toMatchObject({ code: 'unauthorized' })
    expect(world.person.visited).toHaveLength(1)
  })
})
