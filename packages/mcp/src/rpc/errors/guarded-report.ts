import type { OnError } from './error-report.ts'

/** The user's `onError`, which may throw itself: there is nobody left to tell, and nothing of ours may break by it. */
export function guardedReport(onError: OnError): OnError {
  return (error, report) => {
    try {
      onError(error, report)
    } catch {
      // Telling it again would only throw again.
    }
  }
}
