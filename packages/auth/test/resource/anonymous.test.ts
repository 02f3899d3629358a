import { expect, test } from 'vitest'

import { challengeOf, openProtected } from './protected-server.ts'

const anonymous = ['tools/list', 'who', 'read']

test('what is named needs no token, and nothing else is open', async () => {
  await using server = await openProtected({ protect: { anonymous, scopes: ['base'] } })

  const [list, who, read, write, prompts] = await Promise.all([
    server.request('tools/list'),
    server.call('who'),
    server.call('read'),
    server.call('write'),
    server.request('prompts/list'),
  ])

  expect([list, who, read, write, prompts].map(({ status }) => status)).toEqual([
    200, 200, 401, 401, 401,
  ])
  expect(challengeOf(read)).toContain('scope="base notes:read"') // what needs scopes is not for strangers
  expect(server.ran).toEqual(['who'])
})

test('a stranger may shake hands, and nothing more', async () => {
  await using server = await openProtected({
    protect: { anonymous: ['tools/list'] },
    http: { sessions: 'on' },
  })
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  }

  const hello = await server.request('initialize', params)
  const session = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' }
  const list = await server.request('tools/list', {}, { headers: session })
  const call = await server.call('who', { headers: session })

  expect([hello.status, list.status, call.status]).toEqual([200, 200, 401])
})

test('a token that is not good is refused even where none is needed [ATOK-08]', async () => {
  await using server = await openProtected({ protect: { anonymous } })

  const answer = await server.call('who', { token: 'bad' })

  expect(answer.status).toBe(401)
  expect(challengeOf(answer)).toContain('error="invalid_token"')
})

test('a name opens a tool, not a method or a prompt of that name', async () => {
  await using server = await openProtected({
    protect: { anonymous: ['who'] },
    define(notes) {
      notes.tool('who', {}, () => 'you')
      notes.prompt('who', {}, () => 'me')
    },
  })

  expect((await server.request('prompts/get', { name: 'who' })).status).toBe(401)
  expect((await server.call('who')).status).toBe(200)
})
