import { connect } from '@parley/mcp/client'
import { clientTasks, resumeTask, startTool } from '@parley/mcp/tasks'
import { expect, test, type TestContext } from 'vitest'

import { openSession, post, progressIn, readEvents, resume, type StreamEvent } from './by-hand.ts'
import { startNode, type NodeProcess, type SharedStore } from './node-process.ts'
import { until } from './until.ts'

/**
 * What the others do when a process is killed, or stopped for longer than its lease. `newStore` names an empty store. At the
 * same time, since each waits for a lease to end.
 */
export function describeLostProcesses(newStore: () => SharedStore): void {
  async function startTwo(context: TestContext) {
    const store = newStore()
    const [a, b] = await Promise.all([startNode(store, context), startNode(store, context)])
    return { a, b }
  }

  test.concurrent.for([
    ['count', false],
    ['count-safely', true],
  ] as const)(
    'a stream of %s whose process is killed ends with one error',
    async ([name, retryable], context) => {
      const { a, b } = await startTwo(context)
      const { session, first } = await beginCounting(a, name)

      a.signal('SIGKILL')
      const rest = await readEvents(await resume(b.url, session, first.at(-1)?.id ?? ''))

      const all = [...first, ...rest]
      const end = JSON.parse(rest.at(-1)?.data ?? '{}') as object
      expect(end).toMatchObject({
        id: 2,
        error: { code: -32603, data: { reason: 'node_lost', retryable } },
      })
      expectContiguous(all)
      expect(answersIn(all)).toHaveLength(1)
      const after = await readEvents(await resume(b.url, session, rest.at(-1)?.id ?? ''))
      expect(after).toEqual([])
    },
  )

  test.concurrent('a client behind a balancer hears of the loss, and its next call succeeds', async (context) => {
    const { a, b } = await startTwo(context)
    let position = a
    const balanced: typeof fetch = (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      url.port = position.url.port
      return fetch(url, init)
    }
    await using client = await connect(a.url, { fetch: balanced, protocolVersion: 'legacy' })
    const seen: number[] = []
    const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress)
    const counting = client.callTool('count', {}, { onProgress })
    await until(() => seen.length >= 3)

    a.signal('SIGKILL')
    position = b
    await expect(counting).rejects.toMatchObject({ code: 'node_lost', data: { retryable: false } })
    const { content } = await client.callTool('pid', {})

    expect(content).toMatchObject([{ text: String(b.pid) }])
    expect(seen).toEqual(seen.map((_, index) => index + 1))
  })

  test.concurrent('a process that was stopped for longer than its lease is fenced when it goes on', async (context) => {
    const { a, b } = await startTwo(context)
    const { session, first, all } = await beginCounting(a, 'count')

    a.signal('SIGSTOP')
    const rest = await readEvents(await resume(b.url, session, first.at(-1)?.id ?? ''))
    a.signal('SIGCONT')
    await until(() => a.lines.includes('aborted count fenced'))

    const delivered = await all()
    const logged = await readEvents(await resume(b.url, session, first[0]?.id ?? ''))
    expect(answersIn(rest)).toHaveLength(1)
    expect(answersIn(delivered)).toEqual([])
    expect([first[0], ...logged]).toEqual([...first, ...rest])
    expectContiguous(logged)
  })

  test.concurrent.for(['legacy', 'modern'] as const)(
    'a task of a %s client whose process is killed has failed',
    async (protocolVersion, context) => {
      const { a, b } = await startTwo(context)
      const taskId = await startTask(a, 'work', protocolVersion, context)

      a.signal('SIGKILL')
      await using client = await connect(b.url, { protocolVersion, extensions: [clientTasks()] })

      await expect(resumeTask(client, taskId).result()).rejects.toMatchObject({
        code: 'task_ended',
        details: { status: 'failed' },
        cause: { code: 'node_lost', data: { retryable: false } },
      })
    },
  )

  test.concurrent.for(['SIGKILL', 'SIGSTOP'] as const)(
    'a task that may be restarted is, once, when its process gets %s',
    async (signal, context) => {
      const store = newStore()
      const start = () => startNode(store, context)
      const [a, b, c] = await Promise.all([start(), start(), start()])
      const taskId = await startTask(a, 'again', 'modern', context)

      a.signal(signal)
      const results = await Promise.all(
        [b, c].map(async ({ url }) => {
          await using client = await connect(url, {
            protocolVersion: 'modern',
            extensions: [clientTasks()],
          })
          const result = await resumeTask(client, taskId).result()
          return result
        }),
      )
      if (signal === 'SIGSTOP') {
        a.signal('SIGCONT')
        await until(() => a.lines.includes('aborted again fenced'))
      }

      const starts = [b, c].flatMap(({ lines }) => lines.filter((line) => line === 'started again'))
      expect(starts).toHaveLength(1)
      expect(results[0]).toEqual(results[1])
      expect(results[0]?.content).toMatchObject([{ text: expect.stringContaining('done by') }])
    },
  )
}

/** Starts a call that counts, and reads what its process sends for as long as it does. */
async function beginCounting({ url }: NodeProcess, name: string) {
  const session = await openSession(url)
  const params = { name, _meta: { progressToken: 'p' } }
  const calling = await post(url, session, { jsonrpc: '2.0', id: 2, method: 'tools/call', params })
  let delivered: readonly StreamEvent[] = []
  const dropped = readEvents(calling, (events) => {
    delivered = [...events]
    return false
  }).catch(() => undefined) // as a dropped connection ends
  const first = await until(() => progressIn(delivered).length >= 3 && delivered)
  return {
    session,
    first,
    /** Everything that came on this connection, when that has been dropped. */
    all: () => dropped.then(() => delivered),
  }
}

async function startTask(
  { url, lines }: NodeProcess,
  name: string,
  protocolVersion: 'legacy' | 'modern',
  { onTestFinished }: TestContext,
): Promise<string> {
  const client = await connect(url, { protocolVersion, extensions: [clientTasks()] })
  onTestFinished(() => client.close().catch(() => undefined)) // its server may be gone
  const started = await startTool(client, name, {})
  if (started.kind !== 'task') throw new Error('the work of a task was answered at once')
  await until(() => lines.includes(`started ${name}`))
  return started.task.taskId
}

function answersIn(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.filter(({ data }) => data !== '' && !data.includes('"method"'))
}

function expectContiguous(events: readonly StreamEvent[]): void {
  const numbers = events.map(({ id }) => Number(id.split('_')[1]))
  const [first = 0] = numbers
  expect(numbers).toEqual(numbers.map((_, index) => first + index))
}
