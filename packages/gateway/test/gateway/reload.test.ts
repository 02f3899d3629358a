import type { GatewayServer } from '@parley/gateway'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { readChecks } from '../../src/checks/read-checks.ts'
import { hostile } from '../programs.ts'
import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const eras = ['legacy', 'modern'] as const

function notes(name: string): Server {
  const server = createServer({ name, version: '1.0.0' })
  server.tool('who', {}, () => name)
  return server
}

test.each(eras)('a reload starts only what is new or different (%s)', async (protocolVersion) => {
  await using red = await serveTest(notes('red'))
  await using blue = await serveTest(notes('blue'))
  await using green = await serveTest(notes('green'))
  const child: GatewayServer = { ...hostile('good'), mode: 'shared' }
  const servers = {
    child,
    red: { url: red.url.href },
    colour: { url: blue.url.href },
  }
  await using gateway = await startTestGateway({ servers })
  await using client = await open(gateway, { protocolVersion })
  const names = async () => (await client.listTools().toArray()).map(({ name }) => name)
  expect(await names()).toEqual(['child__echo', 'red__who', 'colour__who'])
  const pid = textOf(await client.callTool('child__echo'))
  expect(textOf(await client.callTool('colour__who'))).toBe('blue')

  const difference = gateway.reload({
    servers: { more: { url: red.url.href }, child: { ...child }, colour: { url: green.url.href } },
  })

  expect(difference).toEqual({ added: ['more'], removed: ['red'], changed: ['colour'] })
  await vi.waitFor(async () =>
    expect(await names()).toEqual(['more__who', 'child__echo', 'colour__who']),
  )
  expect(textOf(await client.callTool('child__echo'))).toBe(pid)
  expect(textOf(await client.callTool('colour__who'))).toBe('green')
  await expect(client.callTool('red__who')).rejects.toThrow('this gateway has no tool "red__who"')
})

test('a reload changes names and checks, and lets calls of a removed server finish', async () => {
  const server = notes('red')
  let finish: (() => void) | undefined
  server.tool('slow', {}, async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    return 'finished'
  })
  await using red = await serveTest(server)
  await using gateway = await startTestGateway({ servers: { red: { url: red.url.href } } })
  await using client = await open(gateway)
  const slow = client.callTool('red__slow')
  await vi.waitFor(() => expect(finish).toBeDefined())

  gateway.reload({ servers: {} })
  expect(await client.listTools().toArray()).toEqual([])
  finish?.()
  expect(textOf(await slow)).toBe('finished')

  gateway.reload({ servers: { red: { url: red.url.href } }, naming: 'manual' })
  await vi.waitFor(async () => {
    const tools = await client.listTools().toArray()
    expect(tools.map(({ name }) => name)).toEqual(['who', 'slow'])
  })
  expect(() => gateway.reload({ servers: { a__b: { url: red.url.href } } })).toThrow(
    'the server name "a__b"',
  )
})

test('a reload forgets nothing of what callers have used up, unless their limit is another', async () => {
  await using red = await serveTest(notes('red'))
  const servers = { red: { url: red.url.href } }
  const checksFor = (burst: number, more: object = {}) =>
    readChecks({ limits: { rate: { caller: { burst, perSecond: 0.001 } } }, ...more }).checks
  await using gateway = await startTestGateway({ servers, checks: checksFor(2) })
  await using client = await open(gateway)
  const call = async () => textOf(await client.callTool('red__who'))
  expect(await call()).toBe('red')

  gateway.reload({ servers, checks: checksFor(2, { policy: ['true'] }) })
  expect(await call()).toBe('red')
  gateway.reload({ servers, checks: checksFor(2) })
  expect(await call()).toContain('is limited to 0.001 requests a second')

  gateway.reload({ servers, checks: checksFor(3) })
  expect(await call()).toBe('red')
})
