import type { CallView } from './read-thread.ts'

/** How a call stands, in a word. */
export interface CallState {
  readonly word: string
  readonly tone: 'good' | 'bad' | 'info' | 'warning'
  readonly icon: 'refresh' | 'clock' | 'shield' | 'alert' | 'check'
  readonly isRunning: boolean
}

export function callState({ decision, result }: CallView): CallState {
  if (result === undefined) {
    return decision?.decision === 'allow'
      ? { word: 'running', tone: 'info', icon: 'refresh', isRunning: true }
      : decision === undefined
        ? { word: 'waiting for you', tone: 'warning', icon: 'clock', isRunning: false }
        : { word: 'refused', tone: 'bad', icon: 'shield', isRunning: false }
  }
  if (decision?.decision === 'deny') {
    return { word: 'refused', tone: 'bad', icon: 'shield', isRunning: false }
  }
  if (!result.wasCalled) return { word: 'not called', tone: 'bad', icon: 'alert', isRunning: false }
  return result.isError
    ? { word: 'failed', tone: 'bad', icon: 'alert', isRunning: false }
    : { word: 'done', tone: 'good', icon: 'check', isRunning: false }
}

/** How long the server took, asking not counted; undefined while it is not known. */
export function callDuration({ decidedAt, endedAt, result }: CallView): number | undefined {
  if (decidedAt === undefined || endedAt === undefined || result?.wasCalled !== true)
    return undefined
  return Math.max(0, endedAt - decidedAt)
}
