import type { ReactElement } from 'react'

import type { Collection, CollectionRun } from '../../src/protocol/index.ts'
import { JsonTree } from '../form/json-tree.tsx'
import { Icon } from '../icons.tsx'
import { formatMs, formatTime } from '../parts/duration.ts'
import { Tag } from '../parts/tag.tsx'
import { assertionText } from './assertion-fields.tsx'
import { useCollectionRuns } from './collections-actions.ts'

/** How the collection went: the newest run in full, those before as a row of marks. */
export function RunHistory({
  collection,
}: {
  readonly collection: Collection
}): ReactElement | null {
  const all = useCollectionRuns((state) => state.runs)
  const runs = all.filter((run) => run.collection === collection.name)
  const [newest] = runs
  if (!newest) return null
  return (
    <section className="card" aria-label="Newest run">
      <div className="card-head">
        <h3>{formatTime(newest.at)}</h3>
        <Passed run={newest} />
        <span className="grow" />
        {runs.length > 1 && (
          <ol className="run-marks" aria-label="Earlier runs, newest first">
            {runs.slice(1, 20).map((run) => (
              <li key={run.at} title={`${formatTime(run.at)}: ${passedText(run)}`}>
                <Icon name={hasPassed(run) ? 'check' : 'cross'} size={12} />
                <span className="visually-hidden">{passedText(run)}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
      <ul className="run-results">
        {newest.results.map(({ request, outcome, assertions, passed }) => (
          <li key={request}>
            <details open={!passed}>
              <summary>
                <Tag tone={passed ? 'good' : 'bad'} icon={passed ? 'check' : 'cross'}>
                  {passed ? 'passed' : 'failed'}
                </Tag>{' '}
                {titleOf(collection, request)}{' '}
                <span className="count">{formatMs(outcome.durationMs)}</span>
              </summary>
              <ul className="run-assertions">
                {assertions.map(({ assertion, passed: held, seen }, index) => (
                  <li key={index} data-tone={held ? 'good' : 'bad'}>
                    <Icon name={held ? 'check' : 'cross'} size={12} />
                    <span className="wrap">
                      {assertionText(assertion)}
                      {!held && seen !== undefined && (
                        <code className="mono"> — was {shorten(JSON.stringify(seen))}</code>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
              <JsonTree value={outcome.error ?? outcome.result ?? null} label="What was answered" />
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Passed({ run }: { readonly run: CollectionRun }): ReactElement {
  return <Tag tone={hasPassed(run) ? 'good' : 'bad'}>{passedText(run)}</Tag>
}

function hasPassed(run: CollectionRun): boolean {
  return run.results.every(({ passed }) => passed)
}

function passedText({ results }: CollectionRun): string {
  return `${results.filter(({ passed }) => passed).length} of ${results.length} passed`
}

function titleOf(collection: Collection, id: string): string {
  return collection.requests.find((request) => request.id === id)?.title ?? id
}

function shorten(text: string | undefined): string {
  return text !== undefined && text.length > 200 ? `${text.slice(0, 199)}…` : (text ?? '')
}
