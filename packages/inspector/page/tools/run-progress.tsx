import { Progress } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { formatMs } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import { useRunQuestions } from '../requests/run-questions.tsx'
import type { Run } from '../runs.ts'

/** A call under way: how far, what it says, how long already and how long still. */
export function RunProgressView({ run }: { readonly run: Run }): ReactElement {
  const { startedAt, progress, state } = run
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])

  const asks = useRunQuestions(run).length > 0
  const word =
    state === 'cancelling' ? 'Cancellation requested' : asks ? 'Waits for your answer' : 'Running'
  const elapsedMs = Math.max(0, now - startedAt)
  const part =
    progress?.total !== undefined && progress.total > 0
      ? Math.min(1, Math.max(0, progress.progress / progress.total))
      : undefined
  const leftMs = part !== undefined && part > 0.01 ? (elapsedMs / part) * (1 - part) : undefined
  return (
    <div className="progress-card">
      <div className="row">
        <Icon name="refresh" size={14} className="spin" />
        <strong>{word}</strong>
        <span className="grow cut quiet">{progress?.message}</span>
        {part !== undefined && <strong>{Math.round(part * 100)} %</strong>}
      </div>
      {/* Without a total the ring says that it runs: a bar would guess. */}
      {part !== undefined && (
        <Progress value={part * 100} size="md" aria-label="Progress of the call" />
      )}
      <div className="row quiet tabular">
        <span>{formatMs(elapsedMs)} elapsed</span>
        {leftMs !== undefined && <span>about {formatMs(leftMs)} left</span>}
        {progress !== undefined && (
          <span>
            {progress.progress}
            {progress.total === undefined ? '' : ` of ${progress.total}`}
          </span>
        )}
      </div>
    </div>
  )
}
