import { toolOutput } from '@parley/mcp/client'
import { createTestClient, testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createAccountServer } from '../context.ts'

const server = createAccountServer(
  new Map([
    ['ada', { id: 'ada', plan: 'pro' }],
    ['bob', { id: 'bob', plan: 'free' }],
  ]),
)
const as = (subject: string, scopes: readonly string[] = []) =>
  createTestClient(server, { caller: testAuth({ subject, scopes }) })

test('greets each caller by name, at the same time', async () => {
  await using ada = await as('ada')
  await using bob = await as('bob')

  const [first, second] = await Promise.all([
    ada.callTool('greet'),
    bob.callTool('greet', { greeting: 'Hi' }),
  ])

  expect(toolOutput(first)).toBe('Hello, ada!')
  expect(toolOutput(second)).toBe('Hi, bob!')
})

test('hides a tool from those it is not for', async () => {
  await using bob = await as('bob', ['export'])

  expect((await bob.listTools().toArray()).map(({ name }) => name)).toEqual(['greet'])
  await expect(bob.callTool('export_all')).rejects.toMatchObject({
    code: 'invalid_params',
    message: 'unknown tool: export_all',
  })
})

test('lists a tool whose scope is missing, and refuses it', async () => {
  await using limited = await as('ada')
  await using full = await as('ada', ['export'])

  expect(await limited.listTools().toArray()).toHaveLength(2)
  await expect(limited.callTool('export_all')).rejects.toMatchObject({
    code: 'insufficient_scope',
    data: { scopes: ['export'] },
  })
  expect(toolOutput(await full.callTool('export_all'))).toBe('archive of ada')
})

test('refuses who has no account', async () => {
  await using client = await createTestClient(server)

  await expect(client.callTool('greet')).rejects.toMatchObject({ code: 'unauthorized' })
})
