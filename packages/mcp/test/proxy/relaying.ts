import type { LogMessage, Progress } from '@parley/mcp'
import { type ServerChange, type Client, connect, type ConnectOptions } from '@parley/mcp/client'
import { createProxy, type Proxy, type ProxyOptions } from '@parley/mcp/proxy'
import { expect, test } from 'vitest'

import { createBehind, type Behind } from './server-behind.ts'

type Era = NonNullable<ConnectOptions['protocolVersion']>

export interface Opened extends Behind, AsyncDisposable {
  readonly proxy: Proxy
  open(options?: ConnectOptions): Promise<Client>
}

/** A proxy in front of a server, and clients of it; each side in its own revision. */
export function openProxy(server: Era, client: Era, options: ProxyOptions = {}): Opened {
  const behind = createBehind()
  const proxy = createProxy(behind.server, {
    protocolVersion: server,
    onError: () => undefined,
    ...options,
  })
  const clients: Client[] = []
  return {
    ...behind,
    proxy,
    async open(given = {}) {
      const opened = await connect(proxy, {
        protocolVersion: client,
        cache: false,
        onError: () => undefined,
        onDeprecated: () => undefined,
        ...given,
      })
      clients.push(opened)
      return opened
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((each) => each.close()))
      await proxy.close()
    },
  }
}

/** What passes in every pair of revisions. */
export function relaysEverything(server: Era, client: Era): void {
  test('lists, calls, resources, prompts and completion read as without a proxy', async () => {
    await using opened = openProxy(server, client)
    const proxied = await opened.open()
    await using direct = await connect(opened.server, {
      protocolVersion: client,
      cache: false,
    })

    for (const each of [
      (one: Client) => one.listTools().toArray(),
      (one: Client) => one.listResources().toArray(),
      (one: Client) => one.listResourceTemplates().toArray(),
      (one: Client) => one.listPrompts().toArray(),
      (one: Client) => one.callTool('echo', { text: 'hello' }),
      (one: Client) => one.callTool('fail'),
      (one: Client) => one.readResource('note://one'),
      (one: Client) => one.readResource('note://a/b'),
      (one: Client) => one.getPrompt('plan', { city: 'Oslo' }),
      (one: Client) =>
        one.complete({ type: 'ref/prompt', name: 'plan' }, { name: 'city', value: 'B' }),
    ]) {
      expect(await each(proxied)).toEqual(await each(direct))
    }
    expect(proxied.server.info).toEqual(direct.server.info)
    expect(proxied.server.instructions).toBe(direct.server.instructions)
  })

  test('errors keep their meaning', async () => {
    await using opened = openProxy(server, client)
    const proxied = await opened.open()

    await expect(proxied.callTool('nothing')).rejects.toMatchObject({
      code: 'invalid_params',
      message: expect.stringContaining('unknown tool'),
    })
    await expect(proxied.readResource('note://missing')).rejects.toMatchObject({
      code: 'resource_not_found',
      data: { uri: 'note://missing' },
    })
  })

  test('progress reaches the client that asked for it', async () => {
    await using opened = openProxy(server, client)
    const proxied = await opened.open()
    const told: Progress[] = []

    await proxied.callTool('steps', {}, { onProgress: (progress) => told.push(progress) })

    expect(told).toEqual([
      { progress: 1, total: 3, message: 'one' },
      { progress: 2, total: 3, message: 'two' },
    ])
  })

  test('a cancelled call is cancelled at the server, and the next one works', async () => {
    await using opened = openProxy(server, client)
    const proxied = await opened.open()
    const controller = new AbortController()

    const waiting = proxied.callTool(
      'wait',
      {},
      {
        signal: controller.signal,
        onProgress: () => controller.abort(new Error('enough')),
      },
    )
    await expect(waiting).rejects.toThrow('enough')
    await expect.poll(() => opened.aborted.length).toBe(1)

    expect((await proxied.callTool('echo', { text: 'next' })).content).toEqual([
      { type: 'text', text: 'next' },
    ])
  })

  test('log messages of a call reach its client', async () => {
    await using opened = openProxy(server, client)
    const told: LogMessage[] = []
    const proxied = await opened.open({ onLog: (message) => told.push(message) })

    await proxied.callTool('log')

    await expect
      .poll(() => told)
      .toMatchObject([{ level: 'warning', data: 'careful', logger: 'behind' }])
  })

  test('elicitation, sampling and roots are answered by the client', async () => {
    await using opened = openProxy(server, client)
    const asked: string[] = []
    const proxied = await opened.open({
      elicit: (request) => {
        asked.push(request.message)
        return { action: 'accept', content: { city: `Oslo ${asked.length}` } }
      },
      sample: () => ({
        role: 'assistant',
        content: { type: 'text', text: 'Hello!' },
        model: 'mine',
      }),
      roots: ['file:///work'],
    })

    const once = await proxied.callTool('ask')
    const twice = await proxied.callTool('ask-twice')
    const sampled = await proxied.callTool('sample')
    const roots = await proxied.callTool('roots')

    expect(textOf(once)).toContain('"city":"Oslo 1"')
    expect(textOf(twice)).toContain('"city":"Oslo 3"')
    expect(asked.slice(0, 3)).toEqual(['Which city?', 'From?', 'To?'])
    expect(textOf(sampled)).toContain('Hello!')
    expect(textOf(roots)).toContain('file:///work')
  })

  test('changes of lists and of resources are told', async () => {
    await using opened = openProxy(server, client)
    const proxied = await opened.open()
    const changes: ServerChange[] = []
    const subscription = await proxied.listen({
      toolsListChanged: true,
      resourceSubscriptions: ['note://one'],
    })
    const reading = (async () => {
      for await (const change of subscription) {
        changes.push(change)
        if (changes.length === 2) return
      }
    })()

    opened.server.notifyChanged({ uri: 'note://one' })
    await expect.poll(() => changes.length).toBe(1)
    opened.server.tool('late', {}, () => 'late')
    await reading

    expect(changes).toMatchObject([{ type: 'resource', uri: 'note://one' }, { type: 'tools' }])
    expect((await proxied.listTools().toArray()).map(({ name }) => name)).toContain('late')
  })

  test('two clients with the same ids and tokens hear only of their own calls', async () => {
    await using opened = openProxy(server, client)
    const notify = (name: string): ConnectOptions => ({
      info: { name, version: '1' },
      elicit: () => ({ action: 'accept', content: { city: name } }),
    })
    const [one, two] = await Promise.all([opened.open(notify('one')), opened.open(notify('two'))])
    const told = { one: [] as number[], two: [] as number[] }

    const [first, second, ...steps] = await Promise.all([
      one.callTool('ask'),
      two.callTool('ask'),
      one.callTool('steps', {}, { onProgress: ({ progress }) => told.one.push(progress) }),
      two.callTool('steps', {}, { onProgress: ({ progress }) => told.two.push(progress) }),
    ])

    expect(textOf(first)).toContain('"city":"one"')
    expect(textOf(second)).toContain('"city":"two"')
    expect(steps.map(textOf)).toEqual(['done', 'done'])
    expect(told).toEqual({ one: [1, 2], two: [1, 2] })
  })

  test('a client that leaves harms no other', async () => {
    await using opened = openProxy(server, client)
    const [one, two] = await Promise.all([opened.open(), opened.open()])
    let started: (() => void) | undefined
    const hasStarted = new Promise<void>((resolve) => (started = resolve))
    const kept = two.callTool('wait', {}, { onProgress: () => started?.() })
    const left = one.callTool('wait', {}, { onProgress: () => undefined })
    left.catch(() => undefined) // it goes with its client
    await hasStarted

    await one.close()
    opened.release()

    expect(textOf(await kept)).toBe('waited')
  })
}

export function textOf({ content }: { readonly content: readonly unknown[] }): string {
  const [block] = content as readonly { readonly text?: string }[] // text is all there is
  return block?.text ?? ''
}
