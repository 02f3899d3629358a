import type { ChangedField, ComparedExchange } from '@parley/foundation/trace/view'
import type { ReactElement } from 'react'

import { formatMs } from '../../parts/duration.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { selectRow, useTrace } from '../trace-state.ts'

const tones: { readonly [kind in ComparedExchange['kind']]: Tone } = {
  same: 'good',
  changed: 'warning',
  'only-left': 'bad',
  'only-right': 'info',
}
const words: { readonly [kind in ComparedExchange['kind']]: string } = {
  same: 'same',
  changed: 'changed',
  'only-left': 'only here',
  'only-right': 'only there',
}
/** The rest is there to unfold. */
const fewChanges = 6

/** One request of both traces; its name leads to it in the trace. */
export function CompareRow({ row }: { readonly row: ComparedExchange }): ReactElement {
  const { method, name, kind, left, right, changes, slowerMs } = row
  const show = (seq: number) => {
    selectRow(seq)
    useTrace.setState({ isComparing: false, filterText: '', range: undefined })
  }
  return (
    <tr>
      <td>
        {left ? (
          <button
            type="button"
            className="link-button"
            onClick={() => show(left.request.seq)}
          >{`${method} ${name ?? ''}`}</button>
        ) : (
          `${method} ${name ?? ''}`
        )}
      </td>
      <td>
        <Tag tone={tones[kind]}>{words[kind]}</Tag>
      </td>
      <td className="number">{timeOf(left?.durationMs)}</td>
      <td className="number">{timeOf(right?.durationMs)}</td>
      <td className="number">{slowerMs === undefined ? '' : slowerText(slowerMs)}</td>
      <td className="mono wrap">
        {changes.slice(0, fewChanges).map(changeLine)}
        {changes.length > fewChanges && (
          <details>
            <summary>{changes.length - fewChanges} more</summary>
            {changes.slice(fewChanges).map(changeLine)}
          </details>
        )}
      </td>
    </tr>
  )
}

function changeLine({ pointer, left, right }: ChangedField): ReactElement {
  return (
    <div key={pointer}>
      {pointer}: <del>{short(left)}</del> <span aria-hidden="true">→</span>{' '}
      <ins>{short(right)}</ins>
    </div>
  )
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : formatMs(ms)
}

function slowerText(ms: number): string {
  if (Math.abs(ms) < 1) return ''
  return `${ms > 0 ? '+' : '−'}${formatMs(Math.abs(ms))}`
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
