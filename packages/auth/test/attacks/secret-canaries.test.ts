import { inspect } from 'node:util'

import { AuthError } from '@parley/auth'
import { bearerAuth } from '@parley/auth/client'
import { describe, expect, test, vi } from 'vitest'

import { rejected } from '../support/scripted-issuer.ts'
import { openWorld, type WorldScript } from '../support/world.ts'

/** Everything somebody could print about an error, its causes included. */
function everything(error: unknown): string {
  const parts = [inspect(error, { depth: 20, showHidden: true })]
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    parts.push(String(one.stack), JSON.stringify(one, Object.getOwnPropertyNames(one)))
  }
  return parts.join('\n')
}

const canary = 'canary'

/** Each stage fails in its own way, while secrets are about. */
const failures: Record<string, WorldScript> = {
  'a token that is refused': {
    issuer: { answer: ({ path }) => (path === '/token' ? rejected('invalid_grant') : undefined) },
  },
  'an issuer that repeats what it was sent': {
    issuer: {
      answer: ({ path, form, headers }) =>
        path === '/token'
          ? {
              status: 400,
              body: {
                error: 'invalid_grant',
                error_description: `${form.toString()} does not fit ${headers['authorization']} ${canary}-secret ${form.get('code')?.slice(2)}`,
              },
            }
          : undefined,
    },
  },
  'an answer that is no token': {
    issuer: {
      answer: ({ path }) =>
        path === '/token'
          ? {
              body: {
                access_token: `${canary}-token`,
                token_type: 'weird',
                refresh_token: `${canary}-r`,
              },
            }
          : undefined,
    },
  },
  'a token in the wrong shape': {
    issuer: {
      answer: ({ path }) =>
        path === '/token'
          ? { body: { access_token: { secret: canary }, token_type: 'bearer' } }
          : undefined,
    },
  },
  'an answer with status 500': {
    issuer: {
      answer: ({ path }) =>
        path === '/token' ? { status: 500, body: `${canary} dump` } : undefined,
    },
  },
  'a callback of somebody else': {
    callback: (url) => {
      url.searchParams.set('state', `${canary}-state`)
      url.searchParams.set('code', `${canary}-code`)
      return url
    },
  },
  'a callback with another issuer': {
    callback: (url) => {
      url.searchParams.set('iss', 'https://evil.example')
      url.searchParams.set('code', `${canary}-code`)
      return url
    },
  },
}

describe('secret canaries: what must stay secret is in no message, log or warning', () => {
  test.each(Object.entries(failures))('%s [ASEC-04]', async (_, script) => {
    const printed = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
      vi.spyOn(console, name),
    )
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await using world = await openWorld(script)

    const error: unknown = await world
      .connect({ clientId: 'mine', clientSecret: `${canary}-secret` })
      .catch((reason: unknown) => reason)

    expect(error).toBeInstanceOf(Error)
    const [token] = world.issuer.at('/token')
    const verifier = token?.form.get('code_verifier') ?? 'none was sent'
    const code = token?.form.get('code') ?? 'none was sent'
    const shown =
      everything(error) + JSON.stringify([...printed, warned].map((spy) => spy.mock.calls))
    expect(shown).not.toContain(canary)
    expect(shown).not.toContain(verifier)
    expect(shown).not.toContain(code)
    vi.restoreAllMocks()
  })

  test('a client that works says nothing at all', async () => {
    const printed = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
      vi.spyOn(console, name),
    )
    await using world = await openWorld()
    await using client = await world.connect()
    for (const token of world.issuer.tokens.values()) token.isRevoked = true

    await client.callTool('note', {})

    expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([])
    vi.restoreAllMocks()
  })

  test('credentials are nowhere on the objects a program holds', async () => {
    await using world = await openWorld()
    await using client = await world.connect()
    const [token = 'none'] = world.issuer.tokens.keys()

    expect(inspect(client, { depth: 10, showHidden: true })).not.toContain(token)
    expect(inspect(bearerAuth(`${canary}-token`), { depth: 10, showHidden: true })).not.toContain(
      canary,
    )
  })

  test('an error of ours holds what it is given and nothing else', () => {
    const error = new AuthError('token_refused', 'no', {
      step: 'token',
      issuer: 'https://as.example',
    })

    const {
      message,
      stack: _,
      ...activeGrant
    } = Object.fromEntries(
      Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name) as unknown]),
    )
    expect(message).toBe('no')
    expect(activeGrant).toEqual({
      name: 'AuthError',
      code: 'token_refused',
      step: 'token',
      issuer: 'https://as.example',
    })
  })
})
