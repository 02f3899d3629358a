import { issuesOf } from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import { useMemo, useState } from 'react'

/** What a form needs to hold a value back that does not fit. */
export interface CheckedSend {
  /** Counts the tries that were held back; given to the form, which marks what is wrong and leads there. */
  readonly attempt: number
  /** A try was held back, and the value still does not fit. */
  readonly isBlocked: boolean
  /** Does the work when the value fits; else counts a try. */
  readonly send: (work: () => void) => void
}

/** Checks a value with its schema when it is about to be sent, not while it is still being written. */
export function useCheckedSend(schema: unknown, value: JsonValue | undefined): CheckedSend {
  const [attempt, setAttempt] = useState(0)
  const isFit = useMemo(() => issuesOf(schema, value).issues.length === 0, [schema, value])
  return {
    attempt,
    isBlocked: attempt > 0 && !isFit,
    send(work) {
      if (!isFit) {
        setAttempt(attempt + 1)
        return
      }
      setAttempt(0)
      work()
    },
  }
}
