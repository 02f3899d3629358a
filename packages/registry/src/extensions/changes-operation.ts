import { anySignal } from '@parley/mcp/signals'

import { rawJson } from '../api/answer.ts'
import { entryJson } from '../api/entry-json.ts'
import type { Operation, RegistryContext } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'
import type { Reader } from '../curation/visibility.ts'
import { readChanges } from '../storage/read-changes.ts'

const maxWaitSeconds = 55
const keepAliveMs = 15_000
const eventsAtOnce = 100

/**
 * Every version that has changed since a cursor, deleted ones too; the answer has the cursor to go on with. A version that
 * changed twice comes once. With `wait` the answer is held back until there is something to tell; asked for as
 * `text/event-stream`, it goes on.
 */
export const changesOperation: Operation = {
  method: 'GET',
  path: 'x/changes',
  summary:
    'Versions that have changed since a cursor; as JSON, held back, or as a stream of events',
  query: {
    cursor: { type: 'string', pattern: '^\\d{1,15}$' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
    wait: { type: 'integer', minimum: 0, maximum: maxWaitSeconds, default: 0 },
  },
  effort: 'read',
  isWriting: false,
  async run({ request, query, reader }, parts) {
    const { database, changes } = parts
    const isStream = (request.headers.get('accept') ?? '').includes('text/event-stream')
    const last = isStream ? request.headers.get('last-event-id') : null
    const after = readCursor(last ?? query.text('cursor'))
    const limit = query.integer('limit', { least: 1, most: 100 }) ?? 100
    const wait = query.integer('wait', { least: 0, most: maxWaitSeconds }) ?? 0
    if ((isStream || wait > 0) && !changes.hasCapacity()) {
      throw new Problem(503, 'Too many callers wait for changes: try again later.')
    }
    if (isStream) return streamChanges(after, reader, request.signal, parts)
    let page = await readChanges(database.queries, after, limit, reader)
    if (page.last === after && wait > 0) {
      await changes.wait(after, wait * 1000, request.signal)
      page = await readChanges(database.queries, after, limit, reader)
    }
    const { entries, last: read } = page
    const nextCursor = String(read)
    const metadata = JSON.stringify({ count: entries.length, nextCursor })
    return rawJson(`{"changes":[${entries.map(entryJson).join(',')}],"metadata":${metadata}}`)
  },
}

function readCursor(text = '0'): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem(
    400,
    'The cursor is not valid: use nextCursor of the previous answer unchanged.',
    {
      details: [{ message: 'not a cursor of changes', location: 'query.cursor' }],
    },
  )
}

/** Reads on only when what was sent has been taken. */
function streamChanges(
  first: number,
  reader: Reader,
  signal: AbortSignal,
  { database, changes }: RegistryContext,
): Response {
  let after = first
  const encoder = new TextEncoder()
  const aborted = new AbortController()
  const ended = anySignal(signal, aborted.signal)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let page = await readChanges(database.queries, after, eventsAtOnce, reader)
      if (page.last === after) {
        await changes.wait(after, keepAliveMs, ended)
        page = await readChanges(database.queries, after, eventsAtOnce, reader)
      }
      if (ended.aborted) return controller.close()
      const events = page.entries.map(
        (entry) => `id: ${entry.sequence}\nevent: change\ndata: ${entryJson(entry)}\n\n`,
      )
      after = page.last
      controller.enqueue(encoder.encode(events.length === 0 ? ':\n\n' : events.join('')))
    },
    cancel: () => aborted.abort(),
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}
