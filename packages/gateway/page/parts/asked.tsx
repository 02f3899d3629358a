import { Loader } from '@mantine/core'
import type { Problem } from '@parley/page/channel'
import { problemOf, ProblemNote } from '@parley/page/parts'
import { useCallback, useEffect, useState, type ReactElement } from 'react'

/** An answer of the service, on its way or there. */
export type PreparedRequest<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: Problem; readonly retry: () => void }
  | { readonly state: 'ready'; readonly value: T; readonly retry: () => void }

/** Asks when it is first shown, when what it depends on changes, and on `retry`; an older answer stays until then. */
export function useAsked<T>(
  ask: () => Promise<T>,
  dependsOn: readonly unknown[],
): PreparedRequest<T> {
  const [asked, setAsked] = useState<PreparedRequest<T>>({ state: 'loading' })
  const [round, setRound] = useState(0)
  const retry = useCallback(() => setRound((before) => before + 1), [])
  useEffect(() => {
    let isCurrent = true
    ask().then(
      (value) => isCurrent && setAsked({ state: 'ready', value, retry }),
      (error: unknown) =>
        isCurrent && setAsked({ state: 'failed', problem: problemOf(error), retry }),
    )
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller names what counts
  }, [round, retry, ...dependsOn])
  return asked
}

export interface AnswerProps<T> {
  readonly asked: PreparedRequest<T>
  /** The name in error messages: `The audit`. */
  readonly name: string
  readonly children: (value: T) => ReactElement
}

/** Shows an answer, that it is awaited, or why there is none. */
export function Answer<T>({ asked, name, children }: AnswerProps<T>): ReactElement {
  switch (asked.state) {
    case 'loading':
      return (
        <div className="row quiet pad" role="status">
          <Loader size={16} /> Reading…
        </div>
      )
    case 'failed':
      return (
        <ProblemNote
          problem={asked.problem}
          title={`${name} cannot be shown`}
          retry={asked.retry}
        />
      )
    case 'ready':
      return children(asked.value)
  }
}
