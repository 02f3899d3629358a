import {
  masked,
  toHar,
  toMarkdown,
  toTestSource,
  writeTrace,
  type TraceRecord,
  type TraceRecorder,
} from '@parley/foundation/trace'
import type { JsonObject, JsonValue } from '@parley/mcp'

import { copyAs } from './copy-as.ts'
import { maskEntry } from './entry-view.ts'
import type { Handlers } from './handlers.ts'
import { ProblemError } from './problem.ts'
import type { Runs } from './runs.ts'
import type { Servers } from './servers.ts'

/** What can be done with what was recorded. */
export function createTraceTools(
  recorder: TraceRecorder,
  servers: Servers,
  runs: Runs,
): Handlers<'trace/export' | 'trace/resend' | 'trace/copy'> {
  function range(from = 0, to = Infinity): readonly TraceRecord[] {
    return recorder.page(from - 1, recorder.limit).filter(({ seq }) => seq <= to)
  }

  /** The request a message was made from: the same server, method and id, or the record the page names. */
  function sentBefore(
    server: string,
    { method, id }: { readonly [name: string]: unknown },
    seq: number | undefined,
  ): JsonObject | undefined {
    const first = seq ?? recorder.last
    const last = seq ?? recorder.first
    for (let at = first; at >= last; at -= 1) {
      const { connection, direction, message } = recorder.raw(at) ?? {}
      if (connection !== server || direction !== 'out' || message === undefined) continue
      const sent = message as JsonObject // of a record of kind message
      if (sent['method'] === method && (seq !== undefined || sent['id'] === id)) return sent
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
        case 'har':
          return { name: `trace-${stamp}.har`, text: toHar(records) }
        case 'markdown':
          return { name: `trace-${stamp}.md`, text: toMarkdown(records) }
        case 'test':
          return { name: `trace-${stamp}.test.ts`, text: toTestSource(records) }
      }
    },

    async 'trace/resend'({ server, run, message, seq }) {
      const { method, params = {} } = message
      if (typeof method !== 'string' || typeof params !== 'object' || params === null) {
        throw new ProblemError('not_a_request', 'that is no request: it has no method')
      }
      const original = sentBefore(server, message, seq)
      const whole = unmask(params as JsonValue, original?.['params']) as JsonObject // as given, but for masks
      return runs.start({ server, run, method, params: withoutProgress(whole) })
    },

    'trace/copy'({ seq, as }) {
      const record = recorder.get(seq)
      if (record === undefined) {
        throw new ProblemError('unknown_record', `record ${seq} is not kept any more`)
      }
      const answer = recorder.page(seq, 5000).find(
        ({ parent, message }) =>
          parent === seq && message !== undefined && !('method' in (message as object)), // a message
      )
      const known = servers.views.some(({ name }) => name === record.connection)
      const entry = known ? maskEntry(servers.find(record.connection).entry) : undefined
      return { text: copyAs(as, record, answer, entry) }
    },
  }
}

/** Where the page only saw a mask, what was sent before is sent again. */
function unmask(
  value: JsonValue | undefined,
  original: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof value === 'string') {
    return value.includes(masked) && isText(original) ? original : value
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    typeof original !== 'object' ||
    original === null
  )
    return value
  if (Array.isArray(value)) {
    return value.map(
      (item: JsonValue, index) => unmask(item, (original as readonly JsonValue[])[index]) ?? null,
    ) // undefined beyond its end
  }
  const known = new Map<string, JsonValue | undefined>(Object.entries(original))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, unmask(member, known.get(name))]),
  )
}

function isText(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
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
