import { RpcError, ToolError } from '@parley/mcp'
import { type Client, connect, type ConnectOptions } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createProxy } from '@parley/mcp/proxy'
import { createServer, type Server } from '@parley/mcp/server'
import { clientTasks, resumeTask, serverTasks, startTool } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { nameGuard } from '../support/name-guard.ts'
import { textOf } from './relaying.ts'

/** So that a test need not wait. */
const quick = { pollIntervalMs: 10, inlineMs: 0 }

const across = [
  ['legacy', 'modern'],
  ['modern', 'legacy'],
] as const

/** A tool that works until it is told to finish, and what happened to it. */
function createWork() {
  const server = createServer({
    name: 'studio',
    version: '1.0.0',
    extensions: [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })],
    onError: () => undefined,
  })
  let finish = (): void => undefined
  let report = (): void => undefined
  let begin = (): void => undefined
  let abort = (): void => undefined
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const reported = new Promise<void>((resolve) => (report = resolve))
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const aborted = new Promise<void>((resolve) => (abort = resolve))
  const work = { server, report, finish, begun, aborted, count: 0 }
  server.tool('work', { task: 'optional' }, async (_, { signal, progress }) => {
    work.count += 1
    begin()
    const given = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await Promise.race([reported, finished, given])
    await progress({ progress: 1, total: 2, message: 'half' })
    await Promise.race([finished, given])
    if (signal.aborted) abort()
    return 'worked'
  })
  return work
}

function createStudio(task: 'optional' | 'required'): Server {
  const server = createServer({
    name: 'studio',
    version: '1.0.0',
    extensions: [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })],
    onError: () => undefined,
  })
  server.tool('render', { task }, async (_, { elicit }) => {
    const requestedSchema = { type: 'object', properties: { size: { type: 'string' } } } as const
    return JSON.stringify(await elicit({ message: 'Which size?', requestedSchema }))
  })
  return server
}

async function open(
  server: Server,
  protocolVersion: NonNullable<ConnectOptions['protocolVersion']>,
  extensions = [clientTasks()],
): Promise<Client> {
  const client = await connect(server, {
    protocolVersion,
    extensions,
    elicit: () => ({ action: 'accept', content: { size: 'large' } }),
    onError: () => undefined,
    onDeprecated: () => undefined,
  })
  return client
}

const eras = [
  ['legacy', 'legacy'],
  ['modern', 'modern'],
  ['legacy', 'modern'],
  ['modern', 'legacy'],
] as const

test.each(eras)(
  'a task is started, asks, and is followed to its end (server: %s, client: %s)',
  async (up, down) => {
    await using proxy = createProxy(createStudio('required'), { protocolVersion: up, tasks: quick })
    await using client = await open(proxy, down)

    const started = await startTool(client, 'render', {})
    if (started.kind !== 'task') throw new Error('it was no task')
    const result = await started.task.result()

    expect(textOf(result)).toContain('"size":"large"')
  },
)

test.each(across)(
  'what may be a task is one where it takes long, with its messages (server: %s, client: %s)',
  async (up, down) => {
    const work = createWork()
    await using proxy = createProxy(work.server, { protocolVersion: up, tasks: quick })
    await using client = await open(proxy, down)

    const started = await startTool(client, 'work', {})
    if (started.kind !== 'task') throw new Error('it was no task')
    work.report()
    const said: (string | undefined)[] = []
    for await (const { statusMessage } of started.task) {
      said.push(statusMessage)
      if (statusMessage === 'half') work.finish()
    }

    expect(said).toContain('half')
    expect(textOf(await started.task.result())).toBe('worked')
    expect(work.count).toBe(1)
  },
)

test.each(across)(
  'a cancelled task is cancelled at the server (server: %s, client: %s)',
  async (up, down) => {
    const work = createWork()
    await using proxy = createProxy(work.server, { protocolVersion: up, tasks: quick })
    await using client = await open(proxy, down)
    const started = await startTool(client, 'work', {})
    if (started.kind !== 'task') throw new Error('it was no task')
    await work.begun

    await started.task.cancel()

    await work.aborted
    await expect(started.task.result()).rejects.toMatchObject({ code: 'task_ended' })
  },
)

test.each(across)(
  'a task that fails says why, and a tool that fails has a result (server: %s, client: %s)',
  async (up, down) => {
    const server = createServer({
      name: 'studio',
      version: '1.0.0',
      extensions: [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })],
      onError: () => undefined,
    })
    server.tool('refuse', { task: 'required' }, async () => {
      await new Promise((resolve) => void setTimeout(resolve, 50)) // so that it is a task by then
      throw new RpcError('invalid_params', 'not like this')
    })
    server.tool('fail', { task: 'required' }, () => {
      throw new ToolError('no paint')
    })
    await using proxy = createProxy(server, { protocolVersion: up, tasks: quick })
    await using client = await open(proxy, down)

    const rejected = await startTool(client, 'refuse', {})
    const failed = await startTool(client, 'fail', {})
    if (rejected.kind !== 'task' || failed.kind !== 'task') throw new Error('it was no task')

    await expect(rejected.task.result()).rejects.toThrow('not like this')
    expect(await failed.task.result()).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'no paint' }],
    })
  },
)

test.each(across)(
  'tools that never run as tasks are called as ever (server: %s, client: %s)',
  async (up, down) => {
    const server = createStudio('optional')
    server.tool('plain', {}, () => 'plain')
    await using proxy = createProxy(server, { protocolVersion: up, tasks: quick })
    await using client = await open(proxy, down)

    expect(textOf(await client.callTool('plain'))).toBe('plain')
    expect(textOf(await client.callTool('render'))).toContain('"size":"large"')
  },
)

test('tasks are offered to neither side by a server without them', async () => {
  const server = createServer({ name: 'plain', version: '1.0.0' })
  server.tool('plain', {}, () => 'plain')
  await using legacy = createProxy(server, { protocolVersion: 'legacy' })
  await using modern = createProxy(server, { protocolVersion: 'modern' })
  await using newer = await open(legacy, 'modern')
  await using older = await open(modern, 'legacy')

  expect(newer.server.capabilities.extensions).toBe(undefined)
  expect(older.server.capabilities.tasks).toBe(undefined)
  const [tool] = await older.listTools().toArray()
  expect(tool?.execution).toBe(undefined)
})

test('one client does not learn of the task of another', async () => {
  const work = createWork()
  await using proxy = createProxy(work.server, {
    protocolVersion: 'legacy',
    mode: 'shared',
    tasks: quick,
  })
  await using service = await serveHttp(proxy, {
    port: 0,
    host: '127.0.0.1',
    ownsProcess: false,
    onError: () => undefined,
    auth: nameGuard,
  })
  const as = (name: string) =>
    connect(service.url, {
      protocolVersion: 'modern',
      extensions: [clientTasks()],
      headers: { authorization: `Bearer ${name}` },
    })
  await using ada = await as('ada')
  await using bob = await as('bob')
  const started = await startTool(ada, 'work', {})
  if (started.kind !== 'task') throw new Error('it was no task')

  const stolen = resumeTask(bob, started.task.taskId)

  await expect(stolen.result()).rejects.toMatchObject({
    code: 'task_ended',
    details: { status: 'expired' },
  })
  work.finish()
  expect(textOf(await started.task.result())).toBe('worked')
})

test.each([
  ['legacy', 'modern'],
  ['modern', 'legacy'],
  ['modern', '2025-06-18'],
] as const)(
  'a tool that runs as a task only can be called without tasks, and asks (server: %s, client: %s)',
  async (up, down) => {
    await using proxy = createProxy(createStudio('required'), { protocolVersion: up })
    await using client = await open(proxy, down, [])

    const first = await client.callTool('render')
    const second = await client.callTool('render') // known by now

    expect(textOf(first)).toContain('"size":"large"')
    expect(textOf(second)).toContain('"size":"large"')
    expect(first._meta ?? {}).not.toHaveProperty('io.modelcontextprotocol/related-task')
  },
)

test('a task that was begun is not begun again when its server forgets the session', async () => {
  const work = createWork()
  await using service = await serveHttp(work.server, {
    port: 0,
    host: '127.0.0.1',
    ownsProcess: false,
    onError: () => undefined,
  })
  const sessions = new Set<string>()
  await using proxy = createProxy(service.url, {
    protocolVersion: 'legacy',
    onError: () => undefined,
    tasks: quick,
    async fetch(url, init) {
      const response = await fetch(url, init)
      const id = response.headers.get('mcp-session-id')
      if (id !== null) sessions.add(id)
      return response
    },
  })
  await using client = await open(proxy, 'modern')
  const started = await startTool(client, 'work', {})
  if (started.kind !== 'task') throw new Error('it was no task')
  await work.begun

  for (const id of sessions) {
    await fetch(service.url, { method: 'DELETE', headers: { 'mcp-session-id': id } })
  }

  await expect(started.task.result()).rejects.toMatchObject({ code: 'task_ended' })
  expect(work.count).toBe(1)
})

test('a client of another era that gives up a call ends the task that was begun for it', async () => {
  const server = createServer({
    name: 'studio',
    version: '1.0.0',
    extensions: [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })],
    onError: () => undefined,
  })
  const controller = new AbortController()
  const ended = new Promise<void>((resolve) => {
    server.tool('render', { task: 'required' }, (_, { signal }) => {
      setTimeout(() => controller.abort(new Error('enough')), 200) // when its result is waited for
      return new Promise((finish) => {
        signal.addEventListener('abort', () => {
          resolve()
          finish('given up')
        })
      })
    })
  })
  await using proxy = createProxy(server, { protocolVersion: 'legacy', onError: () => undefined })
  await using client = await open(proxy, 'modern', [])

  const call = client.callTool('render', {}, { signal: controller.signal })

  await expect(call).rejects.toThrow('enough')
  await ended
})
