import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'

import { apiKeyGuard } from '@parley/auth/resource'
import type { Gateway, GatewayServer } from '@parley/gateway'
import { serveHttp } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { hostile } from '../programs.ts'
import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const eras = ['legacy', 'modern'] as const
const soon = { minMs: 20, maxMs: 200 }

function notes(name: string): Server {
  const server = createServer({ name, version: '1.0.0' })
  server.tool('who', { annotations: { readOnlyHint: true } }, () => name)
  server.resource(`${name}://one`, { name: 'one' }, () => `${name} one`)
  return server
}

/** Nobody listens there any more. */
async function unusedAddress(): Promise<string> {
  await using service = await serveTest(notes('gone'))
  return service.url.href
}

/** A program that says what is no message, for ever. */
const garbage: GatewayServer = {
  command: execPath,
  args: ['-e', 'setInterval(() => process.stdout.write("not json {\\n"), 20)'],
  startTimeoutMs: 2_000,
}

interface Status {
  readonly servers: { readonly [name: string]: { readonly state: string; readonly cause?: string } }
  readonly warnings: readonly string[]
}

function statusOf(gateway: Gateway): Status {
  return gateway.status() as unknown as Status // as it is documented
}

function stateOf(gateway: Gateway, name: string): string | undefined {
  return statusOf(gateway).servers[name]?.state
}

test.each(eras)(
  'of five servers a dead, a hanging and a garbage one harm nobody, and an expired one goes on (%s)',
  async (protocolVersion) => {
    await using good = await serveTest(notes('good'))
    const expiring = await serveTest(notes('expired'))
    const port = Number(expiring.url.port)
    const log: string[] = []
    await using gateway = await startTestGateway({
      backOff: { minMs: 60_000, maxMs: 120_000 },
      onState: (name, { state }) => log.push(`${name} ${state}`),
      servers: {
        good: { url: good.url.href },
        dead: { url: await unusedAddress() },
        hanging: { ...hostile('hang'), startTimeoutMs: 2_000 },
        garbage,
        expired: { url: expiring.url.href, protocolVersion: 'legacy' },
      },
    })
    await using client = await open(gateway, { protocolVersion })
    const before = textOf(await client.callTool('expired__who'))
    await expiring.drain({ deadlineMs: 0 })
    await using again = await serveHttp(notes('expired'), {
      port,
      host: '127.0.0.1',
      ownsProcess: false,
      onError: () => undefined,
    })

    const tools = await client.listTools().toArray()
    expect(tools.map(({ name }) => name)).toEqual(['good__who', 'expired__who'])
    const resources = await client.listResources().toArray()
    expect(resources.map(({ uri }) => uri)).toEqual([
      'good://one',
      'expired://one',
      'gateway://status',
    ])
    expect(before).toBe('expired')
    expect(again.url.port).toBe(expiring.url.port)
    expect(textOf(await client.callTool('expired__who'))).toBe('expired')
    expect(textOf(await client.callTool('good__who'))).toBe('good')

    const failures = await Promise.all(
      ['dead', 'hanging', 'garbage'].map((name) => client.callTool(`${name}__who`)),
    )
    expect(failures.map(({ isError }) => isError)).toEqual([true, true, true])
    const [dead = '', hanging = '', noisy = ''] = failures.map(textOf)
    expect(dead).toMatch(
      /^the server "dead" cannot be used now: .*nothing listens there.* It is tried again in \d+ s\.$/,
    )
    expect(hanging).toMatch(
      /^the server "hanging" cannot be used now: .*not ready within 2000 ms\. Raise startTimeout .* It is tried again in \d+ s\.$/,
    )
    expect(noisy).toMatch(
      /^the server "garbage" cannot be used now: .*writes something other than messages to its standard output: "not json \{".*not ready within 2000 ms.* It is tried again in \d+ s\.$/,
    )
    const read = await client.readResource('gateway://status')
    const [contents] = read.contents as readonly { readonly text: string }[] // it is text
    const { servers } = JSON.parse(contents?.text ?? '') as Status // as it is documented
    expect(Object.entries(servers).map(([name, { state }]) => `${name} ${state}`)).toEqual([
      'good ready',
      'dead backing-off',
      'hanging backing-off',
      'garbage backing-off',
      expect.stringMatching(/^expired (?:ready|degraded|backing-off)$/),
    ])
    expect(log).toEqual(
      expect.arrayContaining([
        'good ready',
        'dead backing-off',
        'hanging backing-off',
        'garbage backing-off',
        'expired ready',
      ]),
    )
    expect(log.filter((line) => line.startsWith('good '))).toEqual(['good ready'])
  },
  120_000,
)

test('lists answer at once while a server hangs', async () => {
  await using good = await serveTest(notes('good'))
  await using gateway = await startTestGateway({
    firstListMs: 1,
    servers: {
      good: { url: good.url.href },
      hanging: { ...hostile('hang'), startTimeoutMs: 60_000 },
    },
  })
  await vi.waitFor(() => expect(stateOf(gateway, 'good')).toBe('ready'))
  await using client = await open(gateway)

  const tools = await client.listTools().toArray()

  expect(tools.map(({ name }) => name)).toEqual(['good__who'])
  expect(stateOf(gateway, 'hanging')).toBe('starting')
})

test.each(eras)(
  'follows a resource again after its server has forgotten the session (%s)',
  async (protocolVersion) => {
    const first = await serveTest(notes('red'))
    const port = Number(first.url.port)
    await using gateway = await startTestGateway({
      backOff: soon,
      servers: { red: { url: first.url.href, protocolVersion: 'legacy' } },
    })
    await using client = await open(gateway, { protocolVersion })
    await using subscription = await client.listen({ resourceSubscriptions: ['red://one'] })
    const received = vi.fn()
    void (async () => {
      for await (const change of subscription) if (change.type === 'resource') received(change.uri)
    })()
    await first.drain({ deadlineMs: 0 })
    const red = notes('red')
    await using second = await serveHttp(red, {
      port,
      host: '127.0.0.1',
      ownsProcess: false,
      onError: () => undefined,
    })

    await vi.waitFor(() => {
      red.notifyChanged({ uri: 'red://one' })
      expect(received).toHaveBeenCalledWith('red://one')
    })
    expect(second.url.port).toBe(first.url.port)
  },
  120_000,
)

/** In front of a server, it knows the sessions that were opened, and can end them behind everybody's back. */
async function createForgetful(to: URL) {
  const sessions = new Set<string>()
  const server = createHttpServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const passed = request({ host: to.hostname, port: to.port, method, path, headers })
    passed.on('response', (response) => {
      const id = response.headers['mcp-session-id']
      if (typeof id === 'string') sessions.add(id)
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}${to.pathname}`,
    async forget(): Promise<number> {
      const ended = await Promise.all(
        [...sessions].map((id) =>
          fetch(to, { method: 'DELETE', headers: { 'mcp-session-id': id } }),
        ),
      )
      sessions.clear()
      return ended.filter(({ status }) => status === 204).length
    },
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test.each(eras)(
  'a session that its server answers with 404 is opened again, with its subscriptions (%s)',
  async (protocolVersion) => {
    const red = notes('red')
    await using service = await serveTest(red)
    using between = await createForgetful(service.url)
    await using gateway = await startTestGateway({
      backOff: soon,
      servers: { red: { url: between.url, protocolVersion: 'legacy' } },
    })
    await using client = await open(gateway, { protocolVersion })
    await using subscription = await client.listen({ resourceSubscriptions: ['red://one'] })
    const received = vi.fn()
    void (async () => {
      for await (const change of subscription) if (change.type === 'resource') received(change.uri)
    })()
    expect(textOf(await client.callTool('red__who'))).toBe('red')

    expect(await between.forget()).toBeGreaterThan(0)

    expect(textOf(await client.callTool('red__who'))).toBe('red')
    received.mockClear()
    await vi.waitFor(() => {
      red.notifyChanged({ uri: 'red://one' })
      expect(received).toHaveBeenCalledWith('red://one')
    })
  },
  120_000,
)

test.each(eras)(
  'a server that no longer takes our credential is named, and the others go on (%s)',
  async (protocolVersion) => {
    let isExpired = false
    const keys = apiKeyGuard({ 'key-of-the-gateway-0123456789': 'gateway' })
    await using guarded = await serveHttp(notes('guarded'), {
      port: 0,
      host: '127.0.0.1',
      ownsProcess: false,
      onError: () => undefined,
      auth: {
        authenticate: (asked) =>
          isExpired
            ? { kind: 'deny', status: 401, headers: {}, message: 'the token has expired' }
            : keys.authenticate(asked),
      },
    })
    await using good = await serveTest(notes('good'))
    await using gateway = await startTestGateway({
      servers: {
        guarded: {
          url: guarded.url.href,
          headers: { 'x-api-key': 'key-of-the-gateway-0123456789' },
        },
        good: { url: good.url.href },
      },
    })
    await using client = await open(gateway, { protocolVersion })
    expect(textOf(await client.callTool('guarded__who'))).toBe('guarded')

    isExpired = true

    const rejected = await client.callTool('guarded__who')
    expect(rejected.isError).toBe(true)
    expect(textOf(rejected)).toMatch(/^the server "guarded" /)
    await vi.waitFor(() => expect(stateOf(gateway, 'guarded')).toBe('failed'))
    expect(textOf(await client.callTool('guarded__who'))).toMatch(
      /^the server "guarded" cannot be used now: .*401.* It is tried again in \d+ s\.$/,
    )
    expect(textOf(await client.callTool('good__who'))).toBe('good')
    const tools = await client.listTools().toArray()
    expect(tools.map(({ name }) => name)).toEqual(['good__who'])
  },
  120_000,
)

test.each(eras)('closing lets fifty calls under way finish (%s)', async (protocolVersion) => {
  const server = notes('red')
  const waiting: (() => void)[] = []
  server.tool('slow', {}, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return 'finished'
  })
  await using red = await serveTest(server)
  const gateway = await startTestGateway({
    servers: { red: { url: red.url.href, mode: 'shared' } },
  })
  const clients = await Promise.all(
    Array.from({ length: 5 }, () => open(gateway, { protocolVersion })),
  )
  const calls = clients.flatMap((client) =>
    Array.from({ length: 10 }, () => client.callTool('red__slow')),
  )
  await vi.waitFor(() => expect(waiting).toHaveLength(50))

  const closed = gateway.close({ deadlineMs: 60_000 })
  for (const finish of waiting) finish()

  expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map(() => 'finished'))
  await closed
  await expect(clients[0]?.callTool('red__who')).rejects.toThrow()
  await Promise.allSettled(clients.map((client) => client.close()))
})

test.each(eras)(
  'a server that goes away is told of, and with no patience no call waits for it (%s)',
  async (protocolVersion) => {
    const red = await serveTest(notes('red'))
    await using gateway = await startTestGateway({
      backOff: { minMs: 60_000, maxMs: 120_000, patienceMs: 0 },
      servers: { red: { url: red.url.href } },
    })
    await using client = await open(gateway, { protocolVersion })
    await using subscription = await client.listen({ resourceSubscriptions: ['red://one'] })
    expect(textOf(await client.callTool('red__who'))).toBe('red')

    await red.drain({ deadlineMs: 0 })

    const failed = await client.callTool('red__who')
    expect(failed.isError).toBe(true)
    expect(textOf(failed)).toMatch(/^the server "red" /) // that it left, or that it is gone
    await vi.waitFor(() => expect(stateOf(gateway, 'red')).toBe('backing-off'))
    expect(textOf(await client.callTool('red__who'))).toMatch(
      /^the server "red" .*nothing listens there.*It is tried again in \d+ s\.$/,
    )
    await subscription[Symbol.asyncDispose]()
  },
)

test('a call that fails at a server known to be lost has it looked at now, not after the delay', async () => {
  const red = await serveTest(notes('red'))
  await using gateway = await startTestGateway({
    backOff: { minMs: 60_000, maxMs: 120_000 },
    servers: { red: { url: red.url.href } },
  })
  await using client = await open(gateway)
  expect(textOf(await client.callTool('red__who'))).toBe('red')
  await red.drain({ deadlineMs: 0 })
  await vi.waitFor(() => expect(stateOf(gateway, 'red')).toBe('degraded'))

  const failed = await client.callTool('red__who')

  expect(failed.isError).toBe(true)
  await vi.waitFor(() => expect(stateOf(gateway, 'red')).toBe('backing-off'))
})

test('a command that is killed is started again by itself', async () => {
  const states: string[] = []
  await using gateway = await startTestGateway({
    backOff: soon,
    servers: { one: { ...hostile('good'), mode: 'shared' } },
    onState: (_, { state }) => states.push(state),
  })
  await using client = await open(gateway)
  const pid = Number(textOf(await client.callTool('one__echo')))

  process.kill(pid, 'SIGKILL')

  await vi.waitFor(() => expect(states).toEqual(['ready', 'degraded', 'ready']))
  const after = Number(textOf(await client.callTool('one__echo')))
  expect(after).not.toBe(pid)
})

test('a server that comes up later is told of and listed', async () => {
  const address = await unusedAddress()
  await using gateway = await startTestGateway({
    backOff: soon,
    servers: { late: { url: address } },
  })
  await using client = await open(gateway)
  expect(await client.listTools().toArray()).toEqual([])
  await using subscription = await client.listen({ toolsListChanged: true })

  await using service = await serveHttp(notes('late'), {
    port: Number(new URL(address).port),
    host: '127.0.0.1',
    ownsProcess: false,
    onError: () => undefined,
  })

  const { value: change } = await subscription[Symbol.asyncIterator]().next()
  expect(change).toMatchObject({ type: 'tools' })
  expect(service.url.href).toBe(address)
  await vi.waitFor(async () => {
    const tools = await client.listTools().toArray()
    expect(tools.map(({ name }) => name)).toEqual(['late__who'])
  })
})

test('a command that does not exist has failed, and says so', async () => {
  await using gateway = await startTestGateway({
    servers: { none: { command: 'no-such-program-anywhere' } },
  })
  await gateway.started
  await using client = await open(gateway)

  expect(stateOf(gateway, 'none')).toBe('failed')
  expect(textOf(await client.callTool('none__x'))).toMatch(
    /^the server "none" cannot be used now: .*no-such-program-anywhere.* It is tried again in \d+ s\.$/,
  )
})

test('hostile definitions harm only themselves', async () => {
  await using good = await serveTest(notes('good'))
  await using gateway = await startTestGateway({
    backOff: { minMs: 60_000, maxMs: 120_000 },
    servers: {
      bad: hostile('definitions'),
      liar: hostile('liar'),
      none: hostile('no-list'),
      good: { url: good.url.href },
    },
  })
  await using client = await open(gateway)

  const tools = await client.listTools().toArray()

  expect(tools.map(({ name }) => name)).toEqual(['bad__echo', 'bad____proto__', 'good__who'])
  const { servers, warnings } = statusOf(gateway)
  expect(warnings).toContain('bad: tools: 3 entries cannot be read and are left out')
  expect(warnings).toContainEqual(expect.stringMatching(/^liar: resources\/list failed: /))
  expect(servers['none']).toMatchObject({
    state: 'backing-off',
    cause: 'tools/list was answered with no list',
  })
  expect(textOf(await client.callTool('bad____proto__'))).toMatch(/^\d+$/)
})

test.each(eras)(
  'an endless line and a crash harm only their own calls (%s)',
  async (protocolVersion) => {
    await using good = await serveTest(notes('good'))
    await using gateway = await startTestGateway({
      servers: {
        loud: { ...hostile('listed'), messageBytes: 1_000_000, callTimeoutMs: 60_000 },
        good: { url: good.url.href },
      },
    })
    await using client = await open(gateway, { protocolVersion })
    const controller = new AbortController()
    const endless = client.callTool('loud__endless', {}, { signal: controller.signal })
    endless.catch(() => undefined) // it never ends by itself

    expect(textOf(await client.callTool('good__who'))).toBe('good')
    controller.abort(new Error('enough'))
    const crashed = await client.callTool('loud__crash')
    expect(crashed.isError).toBe(true)
    expect(textOf(crashed)).toMatch(/^the server "loud" did not answer: .*exited with code 3/)
    expect(textOf(await client.callTool('loud__echo'))).toMatch(/^\d+$/)
    expect(stateOf(gateway, 'loud')).toBe('ready')
  },
)
