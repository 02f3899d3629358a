import type { LogLine } from '../protocol/index.ts'
import type { Emit } from './handlers.ts'

/** What servers, their standard error and we ourselves have said, by time. */
export interface Logs {
  readonly lines: readonly LogLine[]
  add(line: Omit<LogLine, 'at'>): void
}

const most = 2000
const mostCharacters = 64 * 1024

export function createLogs(emit: Emit, mask: (data: unknown) => unknown): Logs {
  const lines: LogLine[] = []
  return {
    lines,
    add(line) {
      const full = { ...line, data: mask(shortened(line.data)), at: Date.now() }
      lines.push(full)
      if (lines.length > most) lines.shift()
      emit('logs/line', full)
    },
  }
}

/** A line is for reading; the whole of it is in the trace. */
function shortened(data: unknown): unknown {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
  if (text.length <= mostCharacters) return data
  return `${text.slice(0, mostCharacters)}… (${text.length} characters)`
}
