import type { ClusterStore } from '@parley/cluster'
import { withUnreliableBus } from '@parley/cluster/testing'
import { describe, expect, test, type TestContext } from 'vitest'

import { openSession, post, readEvents, type StreamEvent } from './by-hand.ts'
import { connectTo, openTwoProcesses, type TwoProcesses } from './two-processes.ts'

/** Whether processes give each other hints or have to look. */
const buses = [
  ['a bus', 0],
  ['a bus that loses everything', 1],
] as const

const listChanged = 'notifications/tools/list_changed'
const updated = 'notifications/resources/updated'

/** What one process has to tell another, whatever store is between them. At the same time: looking takes its time. */
export function describeMessages(newStore: () => () => ClusterStore): void {
  describe.concurrent.each(buses)('with %s', (_, lost) => {
    function open({ onTestFinished }: TestContext): Promise<TwoProcesses> {
      const makeStore = newStore()
      let seed = 0
      const makeUnreliable = (): ClusterStore =>
        withUnreliableBus(makeStore(), { seed: ++seed, lost, repeated: 0, delayed: 0 })
      return openTwoProcesses(makeUnreliable, { leaseMs: 3_000, whenFinished: onTestFinished })
    }

    test.for(['legacy', 'modern'] as const)(
      'a %s client that is asked answers at whichever process',
      async (generation, context) => {
        const processes = await open(context)
        await using client = await connectTo(processes, generation)
        const texts: string[] = []

        for (const tool of ['ask', 'think', 'look', 'ask', 'pay']) {
          const { content } = await client.callTool(tool, {})
          texts.push(JSON.stringify(content))
        }

        const expected = ['asked Ada', 'Because.', 'looked at file:///home/ada', 'asked', 'charged']
        expect(texts).toEqual(expected.map((text) => expect.stringContaining(text) as string))
      },
    )

    test('a call is cancelled at the other process, and its stream closes', async (context) => {
      const processes = await open(context)
      const session = await openSession(processes.services[0].url)
      const [a, b] = processes.services
      const params = { name: 'hold', _meta: { progressToken: 'p' } }
      const call = await post(a.url, session, {
        jsonrpc: '2.0',
        id: 'held',
        method: 'tools/call',
        params,
      })

      const cancelled = await post(b.url, session, {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 'held' },
      })
      const events = await readEvents(call, () => false)

      expect(cancelled.status).toBe(202)
      expect(methodsIn(events)).toEqual(['notifications/progress'])
      expect(processes.cancelled).toEqual(['a'])
    })

    test.for(['legacy', 'modern'] as const)(
      'a %s client hears of changes made at the other process',
      async (generation, context) => {
        const processes = await open(context)
        const { servers, services } = processes
        const atB = {
          ...processes,
          roundRobin: fetch,
          services: [services[1], services[0]],
        } as const
        await using client = await connectTo(atB, generation)
        const filter = { toolsListChanged: true, resourceSubscriptions: ['note://one'] }
        await using changes = await client.listen(filter)
        const received = changes[Symbol.asyncIterator]()

        servers[0].tool('new', {}, () => 'x')
        const first = await received.next()
        servers[0].notifyChanged({ uri: 'note://one' })
        const second = await received.next()

        expect([first.value, second.value]).toEqual([
          { type: 'tools' },
          { type: 'resource', uri: 'note://one' },
        ])
      },
    )

    test('a client hears once of what it follows, though it listens elsewhere', async (context) => {
      const processes = await open(context)
      const session = await openSession(processes.services[0].url)
      const { servers, services } = processes
      const [a, b] = services
      const subscribe = { method: 'resources/subscribe', params: { uri: 'note://one' } }
      await (await post(a.url, session, { jsonrpc: '2.0', id: 2, ...subscribe })).text()
      const listening = await fetch(b.url, { headers: { ...session, accept: 'text/event-stream' } })

      servers[0].notifyChanged({ uri: 'note://one' })
      servers[0].tool('new', {}, () => 'x')
      const seen = readEvents(listening, (events) => methodsIn(events).includes(listChanged))

      expect(methodsIn(await seen)).toEqual([updated, listChanged])
    })

    test('the newest of several listeners hears everything, and the others end', async (context) => {
      const processes = await open(context)
      const session = await openSession(processes.services[0].url)
      const { servers, services } = processes
      const [a, b] = services
      const headers = { ...session, accept: 'text/event-stream' }

      const first = await fetch(a.url, { headers })
      const second = await fetch(b.url, { headers })
      const ended = await readEvents(first, () => false)
      servers[0].tool('new', {}, () => 'x')
      const received = await readEvents(second, (events) => methodsIn(events).length > 0)

      expect(methodsIn(ended)).toEqual([])
      expect(methodsIn(received)).toEqual([listChanged])
    })

    test('the state of a round is used once, at whichever process', async (context) => {
      const processes = await open(context)
      const [a, b] = processes.services
      const { result: asked } = await pay(a.url)
      const { inputRequests, requestState } = asked as unknown as PreparedRequest
      const answer = { action: 'accept', content: { name: 'Ada' } }
      const answers = Object.keys(inputRequests).map((key) => [key, answer] as const)
      const round = { requestState, inputResponses: Object.fromEntries(answers) }

      const outcomes = await Promise.all([b, a, b].map(({ url }) => pay(url, round)))

      const texts = outcomes.map(({ result }) => JSON.stringify(result ?? ''))
      expect(texts.filter((text) => text.includes('charged Ada'))).toHaveLength(1)
      expect(outcomes.filter(({ error }) => error?.code === -32602)).toHaveLength(2)
    })

    test('an answer to what another session was asked reaches nothing', async (context) => {
      const processes = await open(context)
      const [a, b] = processes.services
      const [session, foreign] = [
        await openSession(processes.services[0].url),
        await openSession(processes.services[0].url),
      ]
      const params = { name: 'ask' }
      const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params }
      const asking = await post(a.url, session, call)
      const statuses: number[] = []
      const answer = async (id: unknown): Promise<void> => {
        const named = (name: string) => ({
          jsonrpc: '2.0',
          id,
          result: { action: 'accept', content: { name } },
        })
        for (const { url } of [b, a]) {
          statuses.push((await post(url, foreign, named('Eve'))).status)
        }
        statuses.push((await post(b.url, session, named('Ada'))).status)
      }

      let answering: Promise<void> | undefined
      const events = await readEvents(asking, (seen) => {
        const [id] = asksIn(seen)
        if (id !== undefined) answering ??= answer(id)
        return false
      })
      await answering

      expect(statuses).toEqual([202, 202, 202])
      expect(events.at(-1)?.data).toContain('asked Ada')
    })
  })
}

interface PreparedRequest {
  readonly inputRequests: object
  readonly requestState: string
}

interface Paid {
  readonly result?: object
  readonly error?: { readonly code: number }
}

/** A call of 2026-07-28. */
async function pay(url: URL, round: object = {}): Promise<Paid> {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1.0.0' },
  }
  const params = { name: 'pay', arguments: {}, ...round, _meta }
  const headers = {
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': 'pay',
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  return (await (await post(url, headers, call)).json()) as Paid
}

function messagesIn(events: readonly StreamEvent[]): readonly { id?: unknown; method?: string }[] {
  return events.flatMap(({ data }) =>
    data === '' ? [] : [JSON.parse(data) as { id?: unknown; method?: string }],
  )
}

function methodsIn(events: readonly StreamEvent[]): readonly string[] {
  return messagesIn(events).flatMap(({ method }) => method ?? [])
}

/** The ids of requests. */
function asksIn(events: readonly StreamEvent[]): readonly unknown[] {
  return messagesIn(events).flatMap(({ id, method }) => (method === undefined ? [] : [id]))
}
