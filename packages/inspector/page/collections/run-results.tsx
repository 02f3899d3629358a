import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { formatMs, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Collection, CollectionRun } from '../../src/protocol/index.ts'
import { assertionText } from './assertion-fields.tsx'

export interface RunResultsProps {
  readonly collection: Collection
  readonly run: CollectionRun
}

/** Each request of a run: whether it passed, its checks, and what was answered. */
export function RunResults({ collection, run }: RunResultsProps): ReactElement {
  return (
    <ul className="run-results">
      {run.results.map(({ request, outcome, assertions, passed, cutBytes }) => (
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
              {assertions.map(({ assertion, passed: isTrue, seen }, index) => (
                <li key={index} data-tone={isTrue ? 'good' : 'bad'}>
                  <Icon name={isTrue ? 'check' : 'cross'} size={12} />
                  <span className="wrap">
                    {assertionText(assertion)}
                    {!isTrue && seen !== undefined && (
                      <code className="mono"> — was {shorten(JSON.stringify(seen))}</code>
                    )}
                  </span>
                </li>
              ))}
            </ul>
            {cutBytes === undefined ? (
              <JsonTree value={outcome.error ?? outcome.result ?? null} label="What was answered" />
            ) : (
              <p className="quiet">
                The answer was not kept: {Math.ceil(cutBytes / 1024)} kB.
                {outcome.error !== undefined && ` ${outcome.error.message}`}
              </p>
            )}
          </details>
        </li>
      ))}
    </ul>
  )
}

/** What a request is called, also one that is in the collection no longer. */
export function titleOf(collection: Collection, id: string): string {
  return collection.requests.find((request) => request.id === id)?.title ?? 'A deleted request'
}

function shorten(text: string | undefined): string {
  return text !== undefined && text.length > 200 ? `${text.slice(0, 199)}…` : (text ?? '')
}
