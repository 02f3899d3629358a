import { apiKeyGuard } from '@parley/auth/resource'
import type { Check, CheckedRequest, GatewayOptions, Rejection, Subject } from '@parley/gateway'
import { gatewayOptions, loadGatewayConfig } from '@parley/gateway'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const eras = ['legacy', 'modern'] as const

function shop(name: string): Server {
  const server = createServer({ name, version: '1.0.0' })
  server.tool(
    'find',
    {
      description: `Finds in ${name}`,
      inputSchema: z.object({ what: z.string(), where: z.string() }),
    },
    ({ what, where }) => `${name}: ${what} in ${where}`,
  )
  server.tool('buy', {}, () => `${name}: bought`)
  server.prompt('offer', {}, () => name)
  return server
}

async function namesWith(options: Partial<GatewayOptions>, rules = {}) {
  await using red = await serveTest(shop('red'))
  await using blue = await serveTest(shop('blue'))
  await using gateway = await startTestGateway({
    servers: { red: { url: red.url.href, tools: rules }, blue: { url: blue.url.href } },
    ...options,
  })
  await using client = await open(gateway)
  const tools = await client.listTools().toArray()
  const { warnings } = gateway.status() as { readonly warnings: readonly string[] } // as it is documented
  const called = await Promise.all(
    tools.map(async ({ name }) => textOf(await client.callTool(name, { what: 'a', where: 'b' }))),
  )
  return { names: tools.map(({ name }) => name), called, warnings }
}

test('with priority the first server has a name that several have', async () => {
  const { names, called, warnings } = await namesWith({ naming: 'priority' })

  expect(names).toEqual(['find', 'buy'])
  expect(called).toEqual(['red: a in b', 'red: bought'])
  expect(warnings).toContain(
    'tools: "find" is offered by red (find), blue (find); that of red is used',
  )
})

test('with manual names nobody lists what several have, until a rule renames it', async () => {
  const { names, called, warnings } = await namesWith(
    { naming: 'manual' },
    { find: { name: 'search' } },
  )

  expect(names).toEqual(['search', 'find'])
  expect(called).toEqual(['red: a in b', 'blue: a in b'])
  expect(warnings).toContain(
    'tools: "buy" is offered by red (buy), blue (buy); none of them is listed: rename all but one under "tools"',
  )
})

test('a rule renames, describes anew, hides and presets arguments, and hides tools', async () => {
  await using red = await serveTest(shop('red'))
  await using gateway = await startTestGateway({
    servers: {
      red: {
        url: red.url.href,
        tools: {
          find: {
            name: 'look',
            description: 'Looks around',
            arguments: { where: { value: 'town' }, what: { default: 'bread' } },
          },
          buy: { hide: true },
          none: { hide: true },
        },
      },
    },
  })
  await using client = await open(gateway)

  const tools = await client.listTools().toArray()

  expect(tools).toMatchObject([{ name: 'look', description: 'Looks around' }])
  expect(Object.keys(tools[0]?.inputSchema['properties'] ?? {})).toEqual(['what'])
  expect(textOf(await client.callTool('look', {}))).toBe('red: bread in town')
  await expect(client.callTool('red__buy')).rejects.toThrow('has no tool "red__buy"')
  const { warnings } = gateway.status() as { readonly warnings: readonly string[] } // as it is documented
  expect(warnings).toEqual([expect.stringContaining('rule for tool "none": there is no such tool')])
})

test('a profile has a part of the servers and tools', async () => {
  await using red = await serveTest(shop('red'))
  await using blue = await serveTest(shop('blue'))
  const cwd = folderWith({
    'gateway.yaml': `
servers:
  red: { url: "${red.url.href}" }
  blue: { url: "${blue.url.href}" }
profiles:
  some: { servers: [red], tools: { deny: ["*__buy"] } }
`,
  })
  const { config, problems } = await loadGatewayConfig('gateway.yaml', { cwd })
  expect(problems).toEqual([])
  await using gateway = await startTestGateway({ ...gatewayOptions(config, 'some'), port: 0 })
  await using client = await open(gateway)

  const tools = await client.listTools().toArray()

  expect(tools.map(({ name }) => name)).toEqual(['red__find'])
  const rejected = await client.callTool('red__buy')
  expect(rejected.isError).toBe(true)
  expect(textOf(rejected)).toContain('"profile some"')
})

test.each(eras)(
  'checks see each request in order and each result in reverse (%s)',
  async (protocolVersion) => {
    const seen: string[] = []
    const check = (name: string): Check => ({
      name,
      shows: (_, { exposedName }) => exposedName !== 'red__offer',
      before: ({ arguments: args, subject }) => {
        seen.push(`${name} before ${subject.upstream} ${subject.name}`)
        return { ...args, where: `${args['where'] as string} ${name}` } // it is text
      },
      after: (_, result) => {
        seen.push(`${name} after`)
        return { ...result, seenBy: name }
      },
    })
    await using red = await serveTest(shop('red'))
    await using gateway = await startTestGateway({
      checks: [check('one'), check('two')],
      servers: { red: { url: red.url.href } },
    })
    await using client = await open(gateway, { protocolVersion })

    const result = await client.callTool('red__find', { what: 'a', where: 'b' })

    expect(textOf(result)).toBe('red: a in b one two')
    expect(result).toMatchObject({ seenBy: 'one' })
    expect(seen).toEqual(['one before red find', 'two before red find', 'two after', 'one after'])
    expect(await client.listPrompts().toArray()).toEqual([])
    await expect(client.getPrompt('red__offer')).rejects.toThrow('by the rule "one"')
  },
)

test.each(eras)('a refusal is a tool error with its message (%s)', async (protocolVersion) => {
  const check: Check = {
    name: 'no purchases',
    before: ({ subject }) =>
      subject.name === 'buy'
        ? { rejected: true, rule: 'no purchases', message: 'buying is refused by "no purchases"' }
        : undefined,
  }
  await using red = await serveTest(shop('red'))
  await using gateway = await startTestGateway({
    checks: [check],
    servers: { red: { url: red.url.href } },
  })
  await using client = await open(gateway, { protocolVersion })

  const result = await client.callTool('red__buy')

  expect(result).toMatchObject({ isError: true })
  expect(textOf(result)).toBe('buying is refused by "no purchases"')
})

test.each(eras)(
  'a caller without rights gets 403 with the rule, not an empty list (%s)',
  async (protocolVersion) => {
    const check: Check = {
      name: 'only ada',
      shows: ({ claims }) => claims['sub'] === 'ada',
    }
    await using red = await serveTest(shop('red'))
    await using gateway = await startTestGateway({
      checks: [check],
      servers: { red: { url: red.url.href } },
      auth: apiKeyGuard({ 'key-of-ada-0123456789': 'ada', 'key-of-bob-0123456789': 'bob' }),
    })
    const statuses: number[] = []
    const watched: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      statuses.push(response.status)
      return response
    }
    await using ada = await open(gateway, {
      protocolVersion,
      headers: { 'x-api-key': 'key-of-ada-0123456789' },
    })
    await using bob = await open(gateway, {
      protocolVersion,
      fetch: watched,
      headers: { 'x-api-key': 'key-of-bob-0123456789' },
    })

    const tools = await ada.listTools().toArray()
    expect(tools.map(({ name }) => name)).toEqual(['red__find', 'red__buy'])
    await expect(bob.listTools().toArray()).rejects.toThrow(
      /may use nothing behind this gateway, by the rule "only ada"/,
    )
    expect(statuses).toContain(403)
    await expect(open(gateway, { protocolVersion })).rejects.toThrow(/answered 401/)
  },
)

test.each([
  ['before', { before: refuseSecret }],
  ['shows', { shows: (_: unknown, { name }: Subject) => name !== 'note://secret' }],
] as const)('a resource that a check refuses by %s is not followed either', async (_, rule) => {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  for (const name of ['open', 'secret']) {
    server.resource(`note://${name}`, { name }, () => name)
  }
  await using notes = await serveTest(server)
  await using gateway = await startTestGateway({
    servers: { notes: { url: notes.url.href } },
    checks: [{ name: 'no secrets', ...rule }],
  })
  await using client = await open(gateway, { protocolVersion: 'modern' })

  await using subscription = await client.listen({
    resourceSubscriptions: ['note://open', 'note://secret'],
  })

  expect(subscription.accepted.resourceSubscriptions).toEqual(['note://open'])
})

function refuseSecret({ method, subject: { name } }: CheckedRequest): Rejection | undefined {
  if (method !== 'resources/subscribe' || name !== 'note://secret') return undefined
  return { rejected: true, rule: 'no secrets', message: 'this is a secret' }
}
