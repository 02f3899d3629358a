import { apiKeyGuard } from '@parley/auth/resource'
import { expect, it } from 'vitest'

import { adminKeys, openRegistry } from '../registry-under-test.ts'

it('says what a token allows, and nothing to others', async () => {
  const keys = { admin: { ...adminKeys.admin, publish: ['com.example/*'], moderate: ['com.*'] } }
  await using registry = await openRegistry({ database: ':memory:', auth: { keys } })

  const known = await registry.ask('x/session', { token: await registry.token() })
  const wrong = await registry.ask('x/session', { token: 'wrong' })
  const none = await registry.ask('x/session')

  expect(known.headers.get('cache-control')).toBe('no-store')
  expect(known.body).toEqual({
    isKnown: true,
    permissions: [
      { action: 'publish', resource: 'com.example/*' },
      { action: 'edit', resource: '*' },
      { action: 'moderate', resource: 'com.*' },
    ],
  })
  expect(wrong.body).toEqual({ isKnown: false, permissions: [] })
  expect(none.body).toEqual({ isKnown: false, permissions: [] })
})

it('knows readers of a private registry, and those who may moderate there', async () => {
  const read = apiKeyGuard({
    'reader-key-0123456789': 'reader',
    'mod-key-0123456789012': {
      subject: 'mod',
      scopes: ['mcp-registry:moderate'],
      claims: { permissions: ['com.example/*'] },
    },
  })
  await using registry = await openRegistry({ database: ':memory:', auth: { read } })

  const reader = await registry.ask('x/session', { token: 'reader-key-0123456789' })
  const moderator = await registry.ask('x/session', { token: 'mod-key-0123456789012' })
  const stranger = await registry.ask('x/session')

  expect(reader.body).toEqual({ isKnown: true, permissions: [] })
  expect(moderator.body).toEqual({
    isKnown: true,
    permissions: [{ action: 'moderate', resource: 'com.example/*' }],
  })
  expect(stranger.status).toBe(401)
})
