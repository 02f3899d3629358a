import type { Chat, ChatEvent } from '../chat.ts'

/** Counts what tools and prompts are used for, while a chat runs. */
export interface ChatMetrics extends Disposable {
  countPrompt(server: string, prompt: string): void
  /** In the JSON form of OpenTelemetry. */
  read(): object
}

interface Count {
  readonly attributes: { readonly [name: string]: string }
  count: number
  sumMs: number
}

/** More names than that are counted together: servers choose them. */
const maxCounts = 1_000

/** Follows a chat from now on. */
export function createChatMetrics(
  chat: Pick<Chat, 'listen'>,
  now: () => number = Date.now,
): ChatMetrics {
  const startedAt = now()
  const tools = new Map<string, Count>()
  const prompts = new Map<string, Count>()
  const begun = new Map<string, number>()
  const stop = chat.listen(applyEvent)

  function applyEvent(event: ChatEvent): void {
    if (event.type !== 'turn') return
    const { conversation, event: turnEvent } = event
    if (turnEvent.type === 'decision' && turnEvent.decision === 'allow') {
      begun.set(JSON.stringify([conversation, turnEvent.id]), now())
    } else if (turnEvent.type === 'result') {
      const key = JSON.stringify([conversation, turnEvent.id])
      const outcome = turnEvent.wasCalled ? (turnEvent.isError ? 'error' : 'ok') : 'not-called'
      const counted = countIn(tools, {
        server: turnEvent.server ?? '',
        tool: turnEvent.tool,
        outcome,
      })
      counted.sumMs += now() - (begun.get(key) ?? now())
      begun.delete(key)
    } else if (turnEvent.type === 'end') {
      for (const key of begun.keys()) {
        if (key.startsWith(JSON.stringify([conversation]).slice(0, -1))) begun.delete(key)
      }
    }
  }

  function series(
    name: string,
    unit: string,
    counts: Iterable<Count>,
    of: (count: Count) => object,
  ) {
    const nanos = (ms: number) => `${BigInt(Math.round(ms)) * 1_000_000n}`
    const dataPoints = [...counts].map((count) => ({
      attributes: Object.entries(count.attributes).map(([key, stringValue]) => ({
        key,
        value: { stringValue },
      })),
      startTimeUnixNano: nanos(startedAt),
      timeUnixNano: nanos(now()),
      ...of(count),
    }))
    return { name, unit, sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } }
  }

  return {
    countPrompt: (server, prompt) => void countIn(prompts, { server, prompt }),
    read() {
      const asInt = ({ count }: Count) => ({ asInt: String(count) })
      const metrics = [
        series('parley.tool.calls', '{call}', tools.values(), asInt),
        series('parley.tool.duration', 'ms', tools.values(), ({ sumMs }) => ({ asDouble: sumMs })),
        series('parley.prompt.uses', '{use}', prompts.values(), asInt),
      ]
      const name = { key: 'service.name', value: { stringValue: 'parley-chat' } }
      return {
        resourceMetrics: [
          {
            resource: { attributes: [name] },
            scopeMetrics: [{ scope: { name: '@parley/chat' }, metrics }],
          },
        ],
      }
    },
    [Symbol.dispose]: stop,
  }
}

function countIn(counts: Map<string, Count>, attributes: Count['attributes']): Count {
  const own = JSON.stringify(attributes)
  const key = counts.has(own) || counts.size < maxCounts ? own : 'others'
  const count = counts.get(key) ?? {
    attributes: key === own ? attributes : { server: '(others)' },
    count: 0,
    sumMs: 0,
  }
  counts.set(key, count)
  count.count += 1
  return count
}
