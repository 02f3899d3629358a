import {
  toTestSource,
  writeTrace,
  type TraceRecord,
  type TraceRecorder,
} from '@parley/foundation/trace'
import type { JsonObject, JsonValue } from '@parley/mcp'

import type { Handlers } from '../handlers.ts'
import { ProblemError } from '../problem.ts'
import type { Runs } from '../runs/runs.ts'
import { maskEntry } from '../servers/entry-view.ts'
import type { Servers } from '../servers/servers.ts'
import { copyAs } from './copy-as.ts'
import { unmask } from './unmask.ts'

/** What can be done with what was recorded. */
export function createTraceTools(
  recorder: TraceRecorder,
  servers: Servers,
  runs: Runs,
): Handlers<'trace/export' | 'trace/resend' | 'trace/copy'> {
  function range(from = 0, to = Infinity): readonly TraceRecord[] {
    return recorder.page(from - 1, recorder.limit).filter(({ seq }) => seq <= to)
  }

  /** The record a message was made from: of the same server, method and id, or the one the page names. */
  function sentBefore(
    server: string,
    { method, id }: { readonly [name: string]: unknown },
    seq: number | undefined,
  ): TraceRecord | undefined {
    const first = seq ?? recorder.last
    const last = seq ?? recorder.first
    for (let at = first; at >= last; at -= 1) {
      const record = recorder.raw(at)
      if (record?.connection !== server || record.direction !== 'out') continue
      const sent = messageOf(record)
      if (sent['method'] === method && (seq !== undefined || sent['id'] === id)) return record
    }
    return undefined
  }

  return {
    'trace/export'({ format, from, to }) {
      const records = range(from, to)
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
      switch (format) {
        case 'jsonl':
          return { name: `trace-${stamp}.jsonl`, text: writeTrace(records, 'inspector') }
        case 'test':
          return { name: `trace-${stamp}.test.ts`, text: toTestSource(records) }
      }
    },

    async 'trace/resend'({ server, run, message, seq }) {
      const { method, params = {} } = message
      if (typeof method !== 'string' || typeof params !== 'object' || params === null) {
        throw new ProblemError('not_a_request', 'that is not a request: it has no method')
      }
      const before = sentBefore(server, message, seq)
      const whole = before
        ? unmask(
            params as JsonValue,
            messageOf(before)['params'],
            messageOf(recorder.masked(before))['params'],
          )
        : params
      return runs.start({ server, run, method, params: withoutProgress(whole as JsonObject) }) // as given, but for masks
    },

    'trace/copy'({ seq, as }) {
      const record = recorder.get(seq)
      if (record === undefined) {
        throw new ProblemError('unknown_record', `record ${seq} is no longer stored`)
      }
      const caused = recorder.page(seq, 5000).filter(({ parent }) => parent === seq)
      const answer = caused.find(
        ({ message }) => message !== undefined && !('method' in (message as object)), // a message
      )
      // The last: earlier ones may have been refused for want of a token.
      const http = caused.findLast(({ kind, direction }) => kind === 'http' && direction === 'out')
      const isServer = servers.views.some(({ name }) => name === record.connection)
      const entry = isServer ? maskEntry(servers.find(record.connection).entry) : undefined
      return { text: copyAs(as, record, answer, entry, http) }
    },
  }
}

/** Empty for a record of another kind. */
function messageOf({ message }: TraceRecord): JsonObject {
  return (message ?? {}) as JsonObject // of a record of kind message
}

/** The client says anew who it is, and asks for progress by a token of its own. */
function withoutProgress(params: JsonObject): JsonObject {
  const { _meta, ...rest } = params
  if (typeof _meta !== 'object' || _meta === null) return rest
  const own = Object.entries(_meta).filter(
    ([name]) => name !== 'progressToken' && !name.startsWith('io.modelcontextprotocol/'),
  )
  return own.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(own) }
}
