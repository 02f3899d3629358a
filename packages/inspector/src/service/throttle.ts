/** Calls `work` soon after, once however often it was asked for. */
export function createThrottle(ms: number, work: () => void): { ask(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    ask() {
      timer ??= setTimeout(() => {
        timer = undefined
        work()
      }, ms)
      timer.unref()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
