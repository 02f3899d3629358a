import { inspect } from 'node:util'

import { introspection } from '@parley/auth/resource'
import { expect, test } from 'vitest'

import { openProtected } from '../resource/protected-server.ts'
import { openSigningIssuer } from '../resource/signing-issuer.ts'
import { openUpstream } from '../resource/upstream-world.ts'

const all = (value: unknown) =>
  inspect(value, { depth: 20, showHidden: true, maxStringLength: null })

test('no token is in reports, traces or answers, whatever goes wrong [ASEC-04]', async () => {
  const frames: unknown[] = []
  await using server = await openProtected({
    http: { onMessage: (frame) => frames.push(frame) },
    define: (notes) =>
      notes.tool('fails', {}, (_, { auth }) => {
        throw Object.assign(new Error('broken'), { auth })
      }),
  })
  const good = await server.issuer.sign()
  const bad = await server.issuer.sign({ aud: 'https://other.example' })

  const answers = await Promise.all([
    server.call('fails', { token: good }),
    server.call('fails', { token: bad }),
    server.call('fails', { token: `${good}x` }),
    server.call('missing', { token: good }),
  ])
  const texts = await Promise.all(answers.map((answer) => answer.text()))

  expect(frames.length).toBeGreaterThan(0)
  expect(server.reported.length).toBeGreaterThan(0)
  for (const token of [good, bad]) {
    expect(all([frames, server.reported, texts])).not.toContain(token)
  }
})

test('nor is it, or a secret, in what is reported of an issuer that fails [ASEC-04]', async () => {
  await using issuer = await openSigningIssuer({
    answer: ({ path }) => (path === '/introspect' ? { status: 500, body: 'no' } : undefined),
  })
  const clientSecret = 'canary-secret'
  await using server = await openProtected({
    issuer,
    protect: { verify: introspection({ clientId: 'c', clientSecret }) },
  })
  await server.call('who', { token: 'canary-token' })
  await using world = await openUpstream({
    token: ({ body }) => ({ status: 400, body: { error: body } }),
    options: { clientSecret },
  })
  const token = await world.issuer.sign()
  await world.server.call('files', { token })

  const reported = all([server.reported, world.server.reported])
  expect(server.reported).toHaveLength(1)
  expect(world.server.reported).toHaveLength(1)
  expect(reported).not.toContain('canary')
  expect(reported).not.toContain(token)
})
