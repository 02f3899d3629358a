import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { apiKeyGuard } from '@parley/auth/resource'
import { createCluster, createMemoryClusterStore } from '@parley/cluster'
import type { GatewayServer } from '@parley/gateway'
import type { RequestObserver } from '@parley/mcp'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { clientTasks, startTool } from '@parley/mcp/tasks'
import { expect, onTestFinished, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { pinningCheck } from '../../src/checks/pinning/pinning.ts'
import { readChecks } from '../../src/checks/read-checks.ts'
import { callerOf, toolOf } from '../checks/requests.ts'
import { serveTest } from '../gateway/running.ts'
import { asked } from '../matrix-features.ts'
import { hostile } from '../programs.ts'
import { textOf } from '../running.ts'
import { secret, startTwo } from './two-processes.ts'

const eras = ['legacy', 'modern'] as const
const auth = apiKeyGuard({ 'key-of-ada-0123456789': 'ada', 'key-of-bob-0123456789': 'bob' })
const as = (name: string) => ({ headers: { 'x-api-key': `key-of-${name}-0123456789` } })
const everything: GatewayServer = {
  command: execPath,
  args: [fileURLToPath(new URL('../fixtures/matrix-server.mjs', import.meta.url))],
}

function openAt(url: URL, options: ConnectOptions): Promise<Client> {
  return connect(url, { ...asked, ...options })
}

async function calls(client: Client, name: string, count: number): Promise<ReadonlySet<string>> {
  const texts = new Set<string>()
  for (let call = 0; call < count; call += 1) texts.add(textOf(await client.callTool(name)))
  return texts
}

test('a session works at either process, with one child of its own', async () => {
  await using two = await startTwo({ servers: { own: hostile('good') }, naming: 'manual' })
  await using first = await openAt(two.url, { protocolVersion: 'legacy' })
  await using second = await openAt(two.url, { protocolVersion: 'legacy' })

  const [ofFirst, ofSecond] = [await calls(first, 'echo', 6), await calls(second, 'echo', 6)]

  expect(ofFirst.size).toBe(1)
  expect(ofSecond.size).toBe(1)
  expect([...ofFirst]).not.toEqual([...ofSecond])
})

test.each(eras)(
  'a shared child is one for all processes, and users have their own (%s)',
  async (protocolVersion) => {
    await using two = await startTwo({
      auth,
      servers: {
        all: { ...hostile('good'), mode: 'shared' },
        user: { ...hostile('good'), mode: 'per-user' },
      },
    })
    await using ada = await openAt(two.url, { protocolVersion, ...as('ada') })
    await using bob = await openAt(two.url, { protocolVersion, ...as('bob') })

    const all = new Set([
      ...(await calls(ada, 'all__echo', 4)),
      ...(await calls(bob, 'all__echo', 4)),
    ])
    const ofAda = await calls(ada, 'user__echo', 4)
    const ofBob = await calls(bob, 'user__echo', 4)

    expect(all.size).toBe(1)
    expect(ofAda.size).toBe(1)
    expect(ofBob.size).toBe(1)
    expect([...ofAda]).not.toEqual([...ofBob])
  },
)

test.each(eras.flatMap((era) => eras.map((behind) => [era, behind] as const)))(
  'questions, progress and cancelling pass from process to process (client %s, server %s)',
  async (protocolVersion, behind) => {
    await using two = await startTwo({
      servers: { one: { ...everything, protocolVersion: behind, mode: 'shared' } },
      naming: 'manual',
    })
    await using client = await openAt(two.url, { protocolVersion })
    for (let round = 0; round < 2; round += 1) {
      expect(textOf(await client.callTool('ask'))).toContain('Oslo')
      const told: number[] = []
      const onProgress = ({ progress }: { readonly progress: number }) => told.push(progress)
      await client.callTool('steps', {}, { onProgress })
      expect(told).toEqual([1, 2])
      const controller = new AbortController()
      const stop = (): void => controller.abort(new Error('enough'))
      const { signal } = controller
      await client.callTool('wait', {}, { signal, onProgress: stop }).catch(() => undefined)
      await vi.waitFor(async () =>
        expect(textOf(await client.callTool('aborted'))).toBe(String(round + 1)),
      )
    }
  },
  120_000,
)

test.each(eras)(
  'changes of a resource reach a client that listens at another process (%s)',
  async (protocolVersion) => {
    await using two = await startTwo({
      servers: { one: { ...everything, mode: 'shared' } },
      naming: 'manual',
    })
    await using client = await openAt(two.url, { protocolVersion })
    await using subscription = await client.listen({ resourceSubscriptions: ['note://one'] })
    const received = vi.fn()
    void (async () => {
      for await (const change of subscription) if (change.type === 'resource') received(change.uri)
    })().catch(() => undefined)

    await vi.waitFor(async () => {
      await client.callTool('touch')
      expect(received).toHaveBeenCalledWith('note://one')
    })
  },
  120_000,
)

test.each(eras)('a task is found by any process (%s)', async (protocolVersion) => {
  await using two = await startTwo({
    servers: { one: { ...everything, protocolVersion } },
    naming: 'manual',
  })
  await using client = await openAt(two.url, { protocolVersion, extensions: [clientTasks()] })

  const started = await startTool(client, 'render', {})

  if (started.kind !== 'task') throw new TypeError('it is a task')
  expect(textOf(await started.task.result())).toBe('rendered')
})

test('what a caller may use up is counted over all processes', async () => {
  const server = createServer({ name: 'red', version: '1.0.0' })
  server.tool('who', {}, () => 'red')
  await using red = await serveTest(server)
  const limits = { rate: { caller: { burst: 4, perSecond: 0.001 } } }
  await using two = await startTwo({
    servers: { red: { url: red.url.href } },
    checks: readChecks({ limits }).checks,
  })
  await using client = await openAt(two.url, { protocolVersion: 'modern' })

  const answers: string[] = []
  for (let call = 0; call < 8; call += 1) answers.push(textOf(await client.callTool('red__who')))

  expect(answers.filter((text) => text === 'red')).toHaveLength(4)
  expect(answers.at(-1)).toContain('is limited to 0.001 requests a second')
})

test('what is approved at one process is approved at all, also at one that comes later', async () => {
  const store = createMemoryClusterStore()
  const open = async (file: string) => {
    const cluster = createCluster({ ...store, close: async () => undefined }, { secret })
    await cluster.start()
    const pinning = pinningCheck({ file: join(folderWith({}), file), mode: 'enforce' })
    const controller = new AbortController()
    const { signal } = controller
    pinning.share?.({ ...cluster, signal, onError: () => undefined })
    onTestFinished(async () => {
      controller.abort()
      await cluster.close()
    })
    return pinning
  }
  const [first, second] = [await open('first.json'), await open('second.json')]
  const subject = toolOf('add')
  for (const each of [first, second]) expect(each.shows?.(callerOf(), subject)).toBe(false)
  await first.flush()

  const [waiting] = first.listQuarantine()
  await first.approve(waiting?.id ?? '')

  await vi.waitFor(() => expect(second.shows?.(callerOf(), subject)).toBe(true))
  const third = await open('third.json')
  await vi.waitFor(() => expect(third.shows?.(callerOf(), subject)).toBe(true))
})

test.each([0, 1] as const)(
  'when process %i ends the other takes over: the session goes on, and so does what it follows',
  async (index) => {
    await using two = await startTwo({ servers: { one: everything }, naming: 'manual' }, 1_000)
    await using client = await openAt(two.url, { protocolVersion: 'legacy', reconnect: true })
    await using subscription = await client.listen({ resourceSubscriptions: ['note://one'] })
    const received = vi.fn()
    void (async () => {
      for await (const change of subscription) if (change.type === 'resource') received(change.uri)
    })().catch(() => undefined)
    expect(await calls(client, 'echo', 4)).toEqual(new Set(['echoed']))
    const ending = two.gateways[index]

    two.balancer.remove(ending.url?.href ?? '')
    await ending.close({ deadlineMs: 0 })

    await vi.waitFor(async () => {
      expect(textOf(await client.callTool('echo'))).toBe('echoed')
    })
    received.mockClear()
    await vi.waitFor(async () => {
      await client.callTool('touch')
      expect(received).toHaveBeenCalledWith('note://one')
    })
  },
  120_000,
)

test.each(eras)(
  'the trace of a call goes along to the process that sends it (%s)',
  async (protocolVersion) => {
    const seen: unknown[] = []
    const server = createServer({ name: 'one', version: '1.0.0' })
    server.tool('look', {}, (_, { meta }) => {
      seen.push(meta['traceparent'])
      return 'looked'
    })
    await using service = await serveTest(server)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const observer: RequestObserver = {
      begin: ({ side }) =>
        side === 'server'
          ? { meta: { traceparent }, run: (work) => work(), end: () => undefined }
          : undefined,
    }
    const servers = { one: { url: service.url.href, mode: 'shared' } } as const
    await using two = await startTwo({ servers, naming: 'manual', observer })
    await using client = await openAt(two.url, { protocolVersion })
    await calls(client, 'look', 4)

    expect(seen).toEqual(Array(4).fill(traceparent))
  },
)
