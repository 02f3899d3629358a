import type { EventLog, LogPage, StreamRef } from '@parley/mcp/http'

/** One log as several processes see it, each of which writes its own streams. */
export interface NodeLogs {
  as(node: string): EventLog
  /** Processes that the others take for lost. */
  readonly lost: Set<string>
  /** The log comes back empty. */
  lose(): void
}

interface Written {
  writer: string
  about: string | undefined
  last: number
}

/** Of a log in this process, which answers at once. */
export function createNodeLogs(log: EventLog): NodeLogs {
  const streams = new Map<string, Written>()
  const sessions = new Set<string>()
  const lost = new Set<string>()
  const find = ({ sessionId, streamId }: StreamRef) => streams.get(`${sessionId} ${streamId}`)

  function end(ref: StreamRef, writer: string, texts: readonly string[]): boolean {
    const known = find(ref)
    if (known === undefined || known.writer !== writer) return false
    const batch = { firstSequence: known.last + 1, texts, isLast: true }
    if (log.append(ref, batch) !== true) return false
    known.writer = ''
    known.last += texts.length
    return true
  }

  return {
    lost,
    lose() {
      for (const session of sessions) void log.dropSession(session)
      streams.clear()
    },
    as: (node) => ({
      ...log,
      append(ref, batch) {
        const { firstSequence, texts, about } = batch
        const known = find(ref) ?? { writer: node, about: undefined, last: 0 }
        if (known.writer !== node || log.append(ref, batch) !== true) return false
        const last = Math.max(known.last, firstSequence + texts.length - 1)
        const key = `${ref.sessionId} ${ref.streamId}`
        sessions.add(ref.sessionId)
        streams.set(key, { writer: node, about: about ?? known.about, last })
        return true
      },
      read(ref, after, limit) {
        const page = log.read(ref, after, limit) as LogPage | undefined // at once
        const { writer, about } = find(ref) ?? {}
        return page && { ...page, writer, about }
      },
      ending: {
        endIfDisconnected(ref, { writer, after }, makeTexts) {
          if (!lost.has(writer) || find(ref)?.last !== after) return false
          return end(ref, writer, makeTexts())
        },
        endOwn: (ref, texts) => end(ref, node, texts),
      },
    }),
  }
}
