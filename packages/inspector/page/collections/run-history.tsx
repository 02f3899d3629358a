import { Select } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { formatMoment, Tag } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { Collection, CollectionRun } from '../../src/protocol/index.ts'
import { loadRuns, useCollectionRuns } from './collections-actions.ts'
import { compareRuns } from './compare-runs.ts'
import { RunComparison } from './run-comparison.tsx'
import { RunResults } from './run-results.tsx'

const none: readonly CollectionRun[] = []

/** How the collection went: one run in full, all of them as marks, and what changed since an earlier one. */
export function RunHistory({
  collection,
}: {
  readonly collection: Collection
}): ReactElement | null {
  const { name } = collection
  const runs = useCollectionRuns((state) => state.runs[name]) ?? none
  const [picked, setPicked] = useState<number>()
  const [against, setAgainst] = useState<string | null>(null)
  const newestAt = runs[0]?.at
  useEffect(() => void loadRuns(name), [name])
  useEffect(() => setPicked(undefined), [newestAt])

  const shown = runs.find(({ at }) => at === picked) ?? runs[0]
  if (shown === undefined) return null
  const earlier = runs.filter(({ at }) => at < shown.at)
  const before = earlier.find(({ at }) => String(at) === against)
  return (
    <section className="card" aria-label="Runs">
      <div className="card-head run-head">
        <h3>{formatMoment(shown.at)}</h3>
        <Tag tone={hasPassed(shown) ? 'good' : 'bad'}>{passedText(shown)}</Tag>
        <span className="grow" />
        {earlier.length > 0 && (
          <Select
            aria-label="Compare with"
            placeholder="Compare with…"
            size="xs"
            w={230}
            clearable
            value={before === undefined ? null : against}
            onChange={setAgainst}
            data={earlier.map((run) => ({
              value: String(run.at),
              label: `${formatMoment(run.at)}, ${passedText(run)}`,
            }))}
          />
        )}
      </div>
      {runs.length > 1 && (
        <ol className="run-marks" aria-label="Runs, newest first">
          {runs.map((run) => (
            <li key={run.at}>
              <button
                type="button"
                data-tone={hasPassed(run) ? 'good' : 'bad'}
                aria-pressed={run === shown}
                aria-label={`${formatMoment(run.at)}: ${passedText(run)}`}
                title={`${formatMoment(run.at)}: ${passedText(run)}`}
                onClick={() => setPicked(run.at)}
              >
                <Icon name={hasPassed(run) ? 'check' : 'cross'} size={12} />
              </button>
            </li>
          ))}
        </ol>
      )}
      {before !== undefined && (
        <RunComparison
          collection={collection}
          compared={compareRuns(shown, before)}
          title={`Since ${formatMoment(before.at)}`}
        />
      )}
      <RunResults key={shown.at} collection={collection} run={shown} />
    </section>
  )
}

function hasPassed(run: CollectionRun): boolean {
  return run.results.every(({ passed }) => passed)
}

function passedText({ results }: CollectionRun): string {
  return `${results.filter(({ passed }) => passed).length} of ${results.length} passed`
}
