import { join } from 'node:path'

import { gatewayOptions, loadGatewayConfig, openApiKeyFile } from '@parley/gateway'
import type { Client } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { open, serveTest, startTestGateway } from './running.ts'

function serverOf(name: string, tools: readonly string[]) {
  const server = createServer({ name, version: '1.0.0' })
  for (const tool of tools) server.tool(tool, {}, () => tool)
  return server
}

async function statusFor(
  client: Client,
): Promise<{ servers: object; warnings: readonly string[] }> {
  const { contents } = await client.readResource('gateway://status')
  const [only] = contents
  return JSON.parse(only && 'text' in only ? only.text : '{}') as {
    servers: object
    warnings: readonly string[]
  } // as the gateway writes it
}

const policy = `policy: [ 'upstream == "open" && mcp.tool.name == "one"', '"operators" in caller.scopes' ]`

async function statuses(text: string) {
  await using first = await serveTest(serverOf('first', ['one', 'two']))
  await using second = await serveTest(serverOf('second', ['three']))
  const folder = folderWith({
    'gateway.yaml': `servers:\n  open: { url: "${first.url.href}" }\n  closed: { url: "${second.url.href}" }\nauth: { keys: keys.json }\n${text}\n`,
  })
  const keys = openApiKeyFile({ path: join(folder, 'keys.json') })
  const ada = await keys.createKey({ name: 'ada' })
  const grace = await keys.createKey({ name: 'grace', scopes: ['operators'] })
  const { config, problems } = await loadGatewayConfig(join(folder, 'gateway.yaml'))
  expect(problems).toEqual([])
  await using gateway = await startTestGateway({ ...gatewayOptions(config), port: 0 })
  await gateway.started
  const as = async (key: string) => {
    await using client = await open(gateway, { headers: { authorization: `Bearer ${key}` } })
    return await statusFor(client)
  }
  return { ada: await as(ada.key), grace: await as(grace.key) }
}

test('gateway://status tells a caller of the servers that it may use, and counts what it sees', async () => {
  const { ada, grace } = await statuses(policy)

  expect(ada).toMatchObject({ servers: { open: { state: 'ready', tools: 1 } }, warnings: [] })
  expect(Object.keys(ada.servers)).toEqual(['open'])
  expect(ada.servers).not.toHaveProperty('open.connections')
  expect(grace).toMatchObject({ servers: { open: { tools: 2 }, closed: { tools: 1 } } })
})

test('status: all tells everybody of all servers', async () => {
  const { ada } = await statuses(`${policy}\nstatus: all`)

  expect(ada.servers).toMatchObject({ open: { tools: 2 }, closed: { tools: 1 } })
})

test('status: { all: EXPRESSION } tells those of all servers whom it names', async () => {
  const { ada, grace } = await statuses(
    `policy: [ 'mcp.tool.name == "one"' ]\nstatus: { all: '"operators" in caller.scopes' }`,
  )

  expect(Object.keys(ada.servers)).toEqual(['open'])
  expect(Object.keys(grace.servers)).toEqual(['open', 'closed'])
})

test('a mistake in status is told with its line and cure', async () => {
  const folder = folderWith({
    'gateway.yaml': `servers:\n  a: { url: "http://127.0.0.1:1/" }\nstatus: everything\n`,
    'rule.yaml': `servers:\n  a: { url: "http://127.0.0.1:1/" }\nstatus: { all: 'caler.scopes' }\n`,
  })

  const word = await loadGatewayConfig(join(folder, 'gateway.yaml'))
  const rule = await loadGatewayConfig(join(folder, 'rule.yaml'))

  expect(word.problems).toMatchObject([
    {
      line: 3,
      key: 'status',
      fix: `Write status: own, status: all, or status: { all: '"operators" in jwt.groups' }.`,
    },
  ])
  expect(rule.problems).toMatchObject([{ line: 3, key: 'status.all' }])
})

test('without checks everybody sees all servers, as everybody may use them', async () => {
  await using first = await serveTest(serverOf('first', ['one']))
  await using gateway = await startTestGateway({ servers: { open: { url: first.url.href } } })
  await using client = await open(gateway)

  expect((await statusFor(client)).servers).toMatchObject({ open: { state: 'ready', tools: 1 } })
})
