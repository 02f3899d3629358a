import { describe, expect, test } from 'vitest'

import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

function wanting(scope: () => string) {
  return ({ body }: { readonly body: string }) =>
    body.includes('tools/call')
      ? {
          status: 403,
          body: 'more',
          headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope()}"` },
        }
      : undefined
}

describe('step-up loop: a server is never content', () => {
  test('with the same scope again and again a person is asked twice [N11-AUTH-16] [SECX-15]', async () => {
    await using world = await openWorld({ server: { answer: wanting(() => 'admin') } })
    await using client = await world.connect()

    const error = await authErrorOf(client.callTool('note', {}))

    expect(error).toMatchObject({ code: 'insufficient_scope', resource: world.server.url })
    expect(world.person.visited).toHaveLength(1 + 2)
  })

  test('with a new scope each time, twice for all calls and no more [SECX-15]', async () => {
    let count = 0
    await using world = await openWorld({
      server: { answer: wanting(() => `scope-${(count += 1)}`) },
    })
    await using client = await world.connect()

    for (let call = 0; call < 4; call += 1) {
      expect((await authErrorOf(client.callTool('note', {}))).code).toBe('insufficient_scope')
    }
    expect(world.person.visited).toHaveLength(1 + 2)
  })

  test('that takes no token at all has a person sign in twice, however many calls there are', async () => {
    await using world = await openWorld({
      server: {
        answer: ({ body }) =>
          body.includes('tools/call') ? { status: 401, body: 'who are you?' } : undefined,
      },
    })
    await using client = await world.connect()

    for (let call = 0; call < 5; call += 1) {
      expect((await authErrorOf(client.callTool('note', {}))).code).toBe('token_refused')
    }
    expect(world.person.visited).toHaveLength(1 + 2)
  })

  test('that is content after each step is stepped up to again and again', async () => {
    let wanted = 0
    await using world = await openWorld({
      server: {
        scopes: (method) =>
          method === 'tools/call' ? Array.from({ length: wanted }, (_, at) => `s${at}`) : [],
      },
    })
    await using client = await world.connect()

    for (wanted = 1; wanted <= 5; wanted += 1) await client.callTool('note', {})
    expect(world.person.visited).toHaveLength(1 + 5)
  })

  test('many calls at once do not ask more often than one', async () => {
    await using world = await openWorld({ server: { answer: wanting(() => 'admin') } })
    await using client = await world.connect()

    const errors = await Promise.all(
      [1, 2, 3, 4].map(() => authErrorOf(client.callTool('note', {}))),
    )

    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['insufficient_scope']))
    expect(world.person.visited).toHaveLength(1 + 2)
  })
})
