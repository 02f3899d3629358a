import { DataTable, formatMs, Tag, type Tone } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Collection } from '../../src/protocol/index.ts'
import { assertionText } from './assertion-fields.tsx'
import type { ChangedAssertion, ComparedRequest } from './compare-runs.ts'
import { titleOf } from './run-results.tsx'

const looks: Readonly<
  Record<ComparedRequest['change'], { readonly word: string; readonly tone: Tone }>
> = {
  same: { word: 'as before', tone: 'plain' },
  fixed: { word: 'passes now', tone: 'good' },
  broken: { word: 'fails now', tone: 'bad' },
  new: { word: 'new', tone: 'info' },
  gone: { word: 'gone', tone: 'plain' },
}

export interface RunComparisonProps {
  readonly collection: Collection
  readonly compared: readonly ComparedRequest[]
  readonly title: string
}

/** What is different from an earlier run, as a table. */
export function RunComparison({ collection, compared, title }: RunComparisonProps): ReactElement {
  return (
    <>
      <p className="table-title">{title}</p>
      <DataTable
        label={title}
        columns={['Request', 'Verdict', 'Checks', 'Time', 'Answer']}
        className="run-comparison"
      >
        {compared.map((item) => (
          <tr key={item.request}>
            <th scope="row">{titleOf(collection, item.request)}</th>
            <td>
              <Tag tone={looks[item.change].tone}>{looks[item.change].word}</Tag>
            </td>
            <td className="wrap">
              {item.assertions.length === 0 ? (
                <span className="quiet">as before</span>
              ) : (
                <ul>
                  {item.assertions.map((changed, index) => (
                    <li key={index}>
                      {assertionText(changed.assertion)}: {changeText(changed)}
                    </li>
                  ))}
                </ul>
              )}
            </td>
            <td className="mono">{timeText(item)}</td>
            <td>{answerText(item)}</td>
          </tr>
        ))}
      </DataTable>
    </>
  )
}

function changeText({ now, before }: ChangedAssertion): string {
  if (now === undefined) return 'no longer checked'
  if (before === undefined) return now ? 'new, passes' : 'new, and fails'
  return now ? 'passes now' : 'fails now'
}

function timeText({ now, before, slowerMs }: ComparedRequest): string {
  const shown = formatMs((now ?? before)?.outcome.durationMs ?? 0)
  if (slowerMs === undefined) return shown
  return `${shown} (${slowerMs < 0 ? '−' : '+'}${formatMs(Math.abs(slowerMs))})`
}

function answerText({ change, isSameAnswer }: ComparedRequest): string {
  if (change === 'new' || change === 'gone') return ''
  if (isSameAnswer === undefined) return 'not kept'
  return isSameAnswer ? 'the same' : 'another'
}
