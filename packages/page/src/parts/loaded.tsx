import { Button } from '@mantine/core'
import type { ReactElement } from 'react'

import { useProgram } from '../theme/program.ts'
import { useLoadable, type Loadable } from './loadable.ts'
import { Note } from './problem.tsx'

export interface LoadedProps<T> {
  readonly part: Loadable<T>
  /** What it is called while it is not there. */
  readonly name: string
  /** Shows nothing while it is fetched: for what lies over the page. */
  readonly isQuiet?: boolean
  readonly children: (value: T) => ReactElement
}

/** Shows a part once it is fetched: nothing for a moment, then a quiet word, and a way out where it cannot be had. */
export function Loaded<T>({
  part,
  name,
  isQuiet = false,
  children,
}: LoadedProps<T>): ReactElement | null {
  const loading = useLoadable(part)
  const program = useProgram()
  switch (loading.state) {
    case 'ready':
      return children(loading.value)
    case 'loading':
      if (isQuiet) return null
      return (
        <div className="part-loading" role="status">
          Loading {name}…
        </div>
      )
    case 'failed':
      return (
        <div className="part-failed">
          <Note
            tone="bad"
            isUrgent
            title={`${name} could not be loaded`}
            action={
              <div className="row">
                <Button variant="default" size="xs" onClick={loading.retry}>
                  Try again
                </Button>
                <Button variant="subtle" size="xs" onClick={() => location.reload()}>
                  Reload the page
                </Button>
              </div>
            }
          >
            The {program.name} did not answer. If it was stopped, start it again; nothing you filled
            in elsewhere is lost until you reload.
          </Note>
        </div>
      )
  }
}
