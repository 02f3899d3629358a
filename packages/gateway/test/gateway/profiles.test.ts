import { connect } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { profileCheck } from '../../src/config/profile-check.ts'
import { textOf } from '../running.ts'
import { serveTest, startTestGateway } from './running.ts'

const eras = ['legacy', 'modern'] as const

function notes(name: string): Server {
  const server = createServer({ name, version: '1.0.0' })
  server.tool('who', {}, () => name)
  server.tool('push', {}, () => `${name} pushed`)
  return server
}

function openAt(url: URL, protocolVersion: (typeof eras)[number]) {
  return connect(url, { protocolVersion, cache: false, reconnect: false, onError: () => undefined })
}

test.each(eras)('each profile is served at a path of its own (%s)', async (era) => {
  await using red = await serveTest(notes('red'))
  await using blue = await serveTest(notes('blue'))
  const servers = { red: { url: red.url.href }, blue: { url: blue.url.href } }
  const dev = { servers: ['red'], naming: 'manual' } as const
  await using gateway = await startTestGateway({
    servers,
    profiles: {
      dev,
      safe: { checks: [profileCheck('safe', { deny: ['*__push'] })] },
    },
  })
  const at = (path: string): URL => new URL(path, gateway.url)
  await using all = await openAt(at('/mcp'), era)
  await using inDev = await openAt(at('/mcp/dev'), era)
  await using safe = await openAt(at('/mcp/safe'), era)
  const names = async (client: typeof all) =>
    (await client.listTools().toArray()).map(({ name }) => name)

  expect(await names(all)).toEqual(['red__who', 'red__push', 'blue__who', 'blue__push'])
  expect(await names(inDev)).toEqual(['who', 'push'])
  expect(await names(safe)).toEqual(['red__who', 'blue__who'])
  expect(textOf(await inDev.callTool('who'))).toBe('red')
  expect(textOf(await safe.callTool('red__push'))).toContain('by the rule "profile safe"')
  await expect(openAt(at('/mcp/none'), era)).rejects.toThrow()

  gateway.reload({ servers, profiles: { dev: { ...dev, servers: ['blue'] } } })

  await vi.waitFor(async () => expect(textOf(await inDev.callTool('who'))).toBe('blue'))
  expect(await names(safe)).toEqual([])
})

test('a session of one profile is none of another', async () => {
  await using red = await serveTest(notes('red'))
  await using gateway = await startTestGateway({
    servers: { red: { url: red.url.href } },
    profiles: { dev: {}, other: {} },
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const send = (path: string, message: object, more: { readonly [name: string]: string } = {}) =>
    fetch(new URL(path, gateway.url), {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const opened = await send('/mcp/dev', {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1.0.0' },
    },
  })
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  await opened.text()
  await send('/mcp/dev', { method: 'notifications/initialized' }, session)

  const list = { id: 2, method: 'tools/list' }
  const answers = await Promise.all(
    ['/mcp/dev', '/mcp/other', '/mcp'].map((path) => send(path, list, session)),
  )

  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404])
})

test('a profile whose name is no part of a path is refused', async () => {
  await expect(startTestGateway({ servers: {}, profiles: { 'a/b': {} } })).rejects.toThrow(
    'the profile "a/b" cannot be part of a path',
  )
})
