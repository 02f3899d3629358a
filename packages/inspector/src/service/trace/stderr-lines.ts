/** Lines of one program's standard error, as many as somebody can read. */
export interface StderrLines {
  add(line: string): void
  /** Tells at once what was held back. */
  flush(): void
}

/** Every second so many lines pass as they come … */
const maxAtOnce = 300
/** … and of those behind them the last, which say how a flood ended. */
const mostLast = 50
const windowMs = 1000

/** A flood is cut to a bounded number of lines a second; what is left out is counted, and the count told as a line. */
export function createStderrLines(onLine: (line: string) => void): StderrLines {
  let passed = 0
  let queued: string[] = []
  let leftOut = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const last = queued
    const missing = leftOut
    passed = 0
    queued = []
    leftOut = 0
    if (missing > 0) onLine(`(${missing} lines left out: too many to show)`)
    for (const line of last) onLine(line)
  }

  return {
    add(line) {
      timer ??= setTimeout(flush, windowMs).unref()
      passed += 1
      if (passed <= maxAtOnce) return onLine(line)
      queued.push(line)
      if (queued.length < 2 * mostLast) return
      queued = queued.slice(mostLast) // now and then, and not for each line
      leftOut += mostLast
    },
    flush,
  }
}
