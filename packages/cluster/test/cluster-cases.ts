import type { AuthServerStore } from '@parley/auth/server'
import { type ClusterStore, createCluster } from '@parley/cluster'
import type { HttpGuard } from '@parley/mcp/http'
import { startTool } from '@parley/mcp/tasks'
import { testAuth } from '@parley/mcp/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

import { openSession, post, progressIn, readEvents, resume } from './by-hand.ts'
import { describeMessages } from './message-cases.ts'
import { connectTo, openTwoProcesses, testSecret } from './two-processes.ts'

/** What two processes do together, whatever store is between them. `makeStore` opens the same store each time. */
export function describeProcesses(newStore: () => () => ClusterStore): void {
  test('any process takes any request of a session', async () => {
    const processes = await openTwoProcesses(newStore())
    await using client = await connectTo(processes)

    const places = new Set<unknown>()
    for (let call = 0; call < 6; call += 1) {
      const { content } = await client.callTool('where', {})
      places.add(JSON.stringify(content))
    }

    expect(places.size).toBe(2)
  })

  test('progress and the result of a call reach a client whose requests are spread', async () => {
    const processes = await openTwoProcesses(newStore())
    await using client = await connectTo(processes)
    const seen: number[] = []

    const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress)
    const { content } = await client.callTool('count', { to: 5 }, { onProgress })

    expect(content).toMatchObject([{ text: expect.stringContaining('counted to 5') }])
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  test('a stream that was cut at one process is resumed at the other, each event once', async () => {
    const processes = await openTwoProcesses(newStore())
    const session = await openSession(processes.services[0].url)
    const [a, b] = processes.services
    const cut = new AbortController()
    const body = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'count', arguments: { to: 10 }, _meta: { progressToken: 'p' } },
    }
    const calling = await post(a.url, session, body, cut.signal)
    const first = await readEvents(calling, (events) => progressIn(events).length >= 2)
    cut.abort()

    const resumed = await resume(b.url, session, first.at(-1)?.id ?? '')
    const rest = await readEvents(resumed, (events) =>
      events.some(({ data }) => data.includes('"result"')),
    )

    expect(progressIn([...first, ...rest])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(rest.at(-1)?.data).toContain('a counted to 10')
  })

  test('a session that was ended at one process is unknown at the other', async () => {
    const processes = await openTwoProcesses(newStore())
    const session = await openSession(processes.services[0].url)
    const [a, b] = processes.services
    const where = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'where' } }
    expect((await post(b.url, session, where)).status).toBe(200)

    expect((await fetch(a.url, { method: 'DELETE', headers: session })).status).toBe(204)

    expect((await post(a.url, session, where)).status).toBe(404)
    await vi.waitFor(async () => expect((await post(b.url, session, where)).status).toBe(404))
  })

  test('a session is opened and used anywhere without a call of the store, after one look', async () => {
    const makeStore = newStore()
    let asked = 0
    const counted = (): ClusterStore => {
      const store = makeStore()
      const watch = <Part extends object>(part: Part): Part =>
        new Proxy(part, {
          get(target, name, receiver) {
            asked += 1
            return Reflect.get(target, name, receiver) as unknown
          },
        })
      return {
        ...store,
        start: () => store.start(),
        close: () => store.close(),
        records: watch(store.records),
        streams: watch(store.streams),
        once: watch(store.once),
        budgets: watch(store.budgets),
      }
    }
    const processes = await openTwoProcesses(counted)
    const [a, b] = processes.services
    const where = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'where' } }
    const session = await openSession(processes.services[0].url)
    const opened = asked
    await (await post(b.url, session, where)).text()
    const taken = asked

    for (let call = 0; call < 50; call += 1) {
      for (const { url } of [a, b]) {
        const answer = await post(url, session, where)
        expect(answer.status).toBe(200)
        await answer.text()
      }
    }

    expect([opened, taken, asked]).toEqual([0, 1, 1])
  })

  test('the log level and what a client follows hold at every process, wherever they were set', async () => {
    const processes = await openTwoProcesses(newStore())
    const [a, b] = processes.services
    const session = await openSession(processes.services[0].url)
    const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 4, method, params })
    const murmur = request('tools/call', { name: 'murmur' })
    const isReceived = async (url: URL) =>
      (await (await post(url, session, murmur)).text()).includes('quietly')
    const before = [await isReceived(a.url), await isReceived(b.url)]

    const answers = [
      await post(a.url, session, request('logging/setLevel', { level: 'debug' })),
      await post(a.url, session, request('resources/subscribe', { uri: 'clock://now' })),
    ]

    expect(before).toEqual([false, false])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await isReceived(a.url)).toBe(true)
    await vi.waitFor(async () => expect(await isReceived(b.url)).toBe(true))
    const stop = await post(
      b.url,
      session,
      request('resources/unsubscribe', { uri: 'clock://now' }),
    )
    expect(stop.status).toBe(200)
  })

  test('the id of a session opens nothing for another user, at any process [SEC-07]', async () => {
    const auth: HttpGuard = {
      authenticate({ header }) {
        const subject = header('authorization') ?? ''
        return { kind: 'allow', auth: testAuth({ subject }) }
      },
    }
    const processes = await openTwoProcesses(newStore(), { auth })
    const [a, b] = processes.services
    const session = await openSession(processes.services[0].url, { authorization: 'ada' })
    const where = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'where' } }

    const stolen = await Promise.all(
      [a, b].map(async ({ url }) => {
        const answer = await post(url, { ...session, authorization: 'bob' }, where)
        return `${answer.status} ${await answer.text()}`
      }),
    )
    const forged = await post(b.url, { ...session, 'mcp-session-id': 'v1.x.y' }, where)
    const own = await post(b.url, session, where)

    expect(new Set([...stolen, `${forged.status} ${await forged.text()}`]).size).toBe(1)
    expect(stolen[0]).toMatch(/^404 /)
    expect(own.status).toBe(200)
  })

  test('values of an authorization server are known everywhere, and added once', async () => {
    const makeStore = newStore()
    const secret = testSecret
    const clusters = [
      createCluster(makeStore(), { secret }),
      createCluster(makeStore(), { secret }),
    ]
    await Promise.all(clusters.map(({ start }) => start()))
    onTestFinished(async () => void (await Promise.all(clusters.map(({ close }) => close()))))
    const [a, b]: readonly AuthServerStore[] = clusters.map(({ values }) => values)
    if (a === undefined || b === undefined) throw new Error('there are two')

    const added = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? a : b).add('Code', 'x', index, 60_000),
      ),
    )
    await a.set('Grant', 'g', { scope: 'notes' }, Infinity)
    await b.set('Grant', 'g', { scope: 'all' }, 60_000)

    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await a.get('Grant', 'g')).toEqual({ scope: 'all' })
    expect(await a.get('Code', 'g')).toBeUndefined()
    await b.delete('Grant', 'g')
    expect(await a.get('Grant', 'g')).toBeUndefined()
  })

  test.each(['legacy', 'modern'] as const)(
    'a task of a %s client is followed, and cancelled, at any process',
    async (generation) => {
      const processes = await openTwoProcesses(newStore())
      await using client = await connectTo(processes, generation)

      const { content } = await client.callTool('work', {})
      const started = await startTool(client, 'wait', {})
      if (started.kind !== 'task') throw new Error('the work of a task was answered at once')
      await started.task.cancel()

      expect(content).toMatchObject([{ text: expect.stringContaining('worked') }])
      await expect(started.task.result()).rejects.toMatchObject({ code: 'task_ended' })
    },
  )

  describeMessages(newStore)
}
