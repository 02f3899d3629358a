import { connect, type UrlEntry } from '@parley/mcp/client'

import { checkedRevisions } from '../check/revisions.ts'
import { describeFailure } from '../exit.ts'
import { version } from '../version.ts'
import { examineReach } from './examine-reach.ts'
import type { Examining } from './examining.ts'
import { bad, good, type Step } from './step.ts'

/** A WebSocket is one connection: either it opens and agrees on a revision, or it does not. */
export async function* examineWebSocket(
  entry: UrlEntry,
  examining: Examining = {},
): AsyncGenerator<Step> {
  const reach = await examineReach(new URL(entry.url.replace(/^ws/i, 'http')), examining)
  yield reach
  if (reach.state === 'bad') return
  const { legacy, modern } = examining.supported ?? checkedRevisions
  const protocolVersion = legacy === undefined ? 'modern' : modern === undefined ? 'legacy' : 'auto'
  const timeoutMs = examining.options?.timeoutMs ?? 15_000
  try {
    const started = performance.now()
    await using client = await connect(entry, {
      info: { name: 'parley doctor', version },
      protocolVersion,
      reconnect: false,
      timeouts: { connectMs: timeoutMs, totalMs: timeoutMs },
    })
    yield good('opening', `${Math.round(performance.now() - started)} ms`)
    yield good('negotiation', client.negotiated.revision)
    const ms = await client.ping()
    yield good('answering', `${ms.toFixed(1)} ms`)
  } catch (error) {
    const { message, hint = 'Check that there is a WebSocket at this path.' } =
      describeFailure(error)
    yield bad('opening', message, hint)
  }
}
