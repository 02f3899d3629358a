import fc from 'fast-check'
import { expect, test } from 'vitest'

import { askable, withImplied } from '../../src/resource/scopes.ts'
import { challengeOf, openProtected } from './protected-server.ts'

test.each([
  [['notes:admin'], 200],
  [['notes:write', 'notes:read'], 200],
  [['notes:write'], 200],
  [['notes:read'], 403],
  [[], 403],
])(
  'a token with %j gets %i for what needs read and write [N07-AUTH-10]',
  async (scopes, status) => {
    await using server = await openProtected({
      protect: { scopeImplies: { 'notes:admin': ['notes:write'], 'notes:write': ['notes:read'] } },
    })
    const token = await server.issuer.sign({ scope: scopes.join(' ') })

    expect((await server.call('write', { token })).status).toBe(status)
  },
)

test('scopes may depend on arguments, and be required inside a handler [AERR-02]', async () => {
  await using server = await openProtected({
    protect: { scopes: ['base'] },
    define(notes, ran) {
      notes.tool('open', { scopes: () => ['notes:7'] }, () => void ran.push('open'))
      notes.tool('inside', { scopes: ['notes:read'] }, (_, { requireScopes }) => {
        requireScopes(['notes:own'])
        ran.push('inside')
      })
    },
  })
  const token = await server.issuer.sign({ scope: 'base notes:read' })

  const [open, inside] = await Promise.all([
    server.call('open', { token }),
    server.call('inside', { token }),
  ])

  expect([open.status, inside.status]).toEqual([403, 403])
  expect(challengeOf(open)).toContain('scope="base notes:7"')
  expect(challengeOf(inside)).toContain('scope="base notes:read notes:own"')
  expect(server.ran).toEqual([])
})

test('resources and prompts are protected like tools', async () => {
  await using server = await openProtected({
    define(notes) {
      notes.resource('note://1', { scopes: ['notes:read'] }, () => 'one')
      notes.prompt('write', { scopes: ['notes:write'] }, () => 'write')
    },
  })
  const token = await server.issuer.sign({ scope: 'notes:read' })

  const read = await server.request('resources/read', { uri: 'note://1' }, { token })
  const prompt = await server.request('prompts/get', { name: 'write' }, { token })

  expect([read.status, prompt.status]).toEqual([200, 403])
  expect(challengeOf(prompt)).toContain('scope="notes:write"')
})

test('what a token may not do is still listed, so that a client can ask for more', async () => {
  await using server = await openProtected()

  const answer = await server.request('tools/list', {}, { token: await server.issuer.sign() })

  expect(await answer.json()).toMatchObject({
    result: { tools: [{ name: 'who' }, { name: 'read' }, { name: 'write' }] },
  })
})

test('implied scopes end, whatever implies what', () => {
  const scope = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')
  fc.assert(
    fc.property(fc.array(scope), fc.dictionary(scope, fc.array(scope)), (scopes, implies) => {
      const all = withImplied(scopes, implies)

      for (const one of scopes) expect(all.has(one)).toBe(true)
      for (const one of all) {
        const next = Object.hasOwn(implies, one) ? (implies[one] ?? []) : []
        expect(next.every((implied) => all.has(implied))).toBe(true)
      }
    }),
  )
})

test('whatever is asked for, a challenge names scopes only', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (scopes) => {
      expect(askable(scopes).join(' ')).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/)
    }),
  )
})
