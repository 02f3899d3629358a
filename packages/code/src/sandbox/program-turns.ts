import type { ResolvedSandboxLimits } from './limits.ts'

/** What came of waiting for a turn. */
type Turn =
  | { readonly kind: 'taken'; release(): void }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'cancelled' }

/** Lets so many programs run, and so many of one caller; others wait in order. */
export function createProgramTurns({
  programs,
  programsOfCaller,
  queuedPrograms,
}: ResolvedSandboxLimits) {
  const running = new Map<string, number>()
  const waiting: { readonly caller: string; go(): void }[] = []
  let count = 0

  function isFree(caller: string): boolean {
    return count < programs && (running.get(caller) ?? 0) < programsOfCaller
  }

  function start(caller: string): Turn {
    count += 1
    running.set(caller, (running.get(caller) ?? 0) + 1)
    return { kind: 'taken', release: () => release(caller) }
  }

  function release(caller: string): void {
    count -= 1
    const left = (running.get(caller) ?? 1) - 1
    if (left === 0) running.delete(caller)
    else running.set(caller, left)
    const at = waiting.findIndex((one) => isFree(one.caller))
    if (at >= 0) waiting.splice(at, 1)[0]?.go()
  }

  return {
    async take(caller: string, signal: AbortSignal): Promise<Turn> {
      if (signal.aborted) return { kind: 'cancelled' }
      if (isFree(caller)) return start(caller)
      if (waiting.length >= queuedPrograms) {
        const message = `${programs} programs run, and ${queuedPrograms} wait: try again later`
        return { kind: 'refused', message }
      }
      return new Promise<Turn>((resolve) => {
        const waiter = {
          caller,
          go() {
            signal.removeEventListener('abort', leave)
            resolve(start(caller))
          },
        }
        function leave(): void {
          waiting.splice(waiting.indexOf(waiter), 1)
          resolve({ kind: 'cancelled' })
        }
        waiting.push(waiter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}
