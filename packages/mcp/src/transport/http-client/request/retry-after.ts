import type { HttpAnswer } from './http-request.ts'

/** When a server that refuses wishes to be asked again. A date counts for nothing: clocks differ. */
export function retryAfterMs(answer: HttpAnswer): number | undefined {
  const seconds = Number(answer.header('retry-after'))
  return seconds > 0 ? seconds * 1_000 : undefined
}
