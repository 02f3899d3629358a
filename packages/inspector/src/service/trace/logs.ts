import type { LogLine } from '../../protocol/index.ts'
import type { Emit } from '../handlers.ts'
import { createThrottle } from '../throttle.ts'

/** What servers, their standard error and we ourselves have said, by time. */
export interface Logs {
  readonly lines: readonly LogLine[]
  add(line: Omit<LogLine, 'at'>): void
}

const most = 2000
const maxAtOnce = 500
const maxCharacters = 64 * 1024

/** Pages are told ten times a second at most; of a flood they get the newest lines, and how many there were besides. */
export function createLogs(emit: Emit, mask: (data: unknown) => unknown): Logs {
  let lines: LogLine[] = []
  let waiting: LogLine[] = []
  let leftOut = 0
  const notifying = createThrottle(100, () => {
    cut()
    const reported = leftOut === 0 ? waiting : [describeLoss(leftOut), ...waiting]
    waiting = []
    leftOut = 0
    emit('logs/lines', { lines: reported })
  })

  function cut(): void {
    leftOut += Math.max(0, waiting.length - maxAtOnce)
    waiting = waiting.slice(-maxAtOnce)
  }

  return {
    get lines() {
      return lines.slice(-most)
    },
    add(line) {
      const full = { ...line, data: mask(shortened(line.data)), at: Date.now() }
      lines.push(full)
      waiting.push(full)
      // Now and then, and not for each line.
      if (lines.length >= 2 * most) lines = lines.slice(-most)
      if (waiting.length >= 2 * maxAtOnce) cut()
      notifying.ask()
    },
  }
}

function describeLoss(count: number): LogLine {
  const data = `(${count} lines left out: too many to show)`
  return { server: '', at: Date.now(), from: 'inspector', level: 'warning', data }
}

/** A line is for reading; the whole of it is in the trace. */
function shortened(data: unknown): unknown {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
  if (text.length <= maxCharacters) return data
  return `${text.slice(0, maxCharacters)}… (${text.length} characters)`
}
