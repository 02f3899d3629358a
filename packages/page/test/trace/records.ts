import type { TraceRecord } from '@parley/foundation/trace'
import type { JsonValue } from '@parley/mcp'

/** A recorded message; what a test does not care about is filled in. */
export function messageRecord(
  seq: number,
  message: { readonly [name: string]: JsonValue },
  more: Partial<TraceRecord> = {},
): TraceRecord {
  return {
    seq,
    time: seq * 10,
    at: 1_700_000_000_000 + seq * 10,
    connection: 'one',
    kind: 'message',
    direction: 'method' in message ? 'out' : 'in',
    message: { jsonrpc: '2.0', ...message },
    bytes: 100,
    ...more,
  }
}

/** A call of a tool, its progress and its answer, `ms` later. */
export function callRecords(seq: number, tool: string, ms: number, isError = false): TraceRecord[] {
  const start = seq * 10
  const token = { progressToken: seq, progress: 1 }
  return [
    messageRecord(seq, { id: seq, method: 'tools/call', params: { name: tool } }, { time: start }),
    messageRecord(
      seq + 1,
      { method: 'notifications/progress', params: token },
      { time: start + ms / 2, direction: 'in', parent: seq },
    ),
    messageRecord(
      seq + 2,
      { id: seq, result: { content: [], isError } },
      { time: start + ms, parent: seq },
    ),
  ]
}
