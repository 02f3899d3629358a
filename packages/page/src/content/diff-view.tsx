import { diffLines, type DiffLine } from '@parley/foundation/diff'
import { useMemo, type ReactElement } from 'react'

import './content.css'

const signs = { same: ' ', added: '+', removed: '−' } as const
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const
/** Lines around a change that are shown. */
const context = 3
const maximumLines = 2000

/** The change between two readings; the long stretches that stayed the same are left out. */
export function DiffView({
  before,
  after,
}: {
  readonly before: string
  readonly after: string
}): ReactElement {
  const lines = useMemo(
    () => foldSame(diffLines(before, after)).slice(0, maximumLines),
    [before, after],
  )
  return (
    <div className="diff" role="region" aria-label="What changed" tabIndex={0}>
      {lines.map((line, index) => (
        // Lines repeat; their place tells them apart.
        <div key={index} className="diff-line" data-kind={line?.kind ?? 'gap'}>
          <span aria-hidden="true">{line ? signs[line.kind] : '⋯'}</span>
          <span>
            {line && <span className="visually-hidden">{words[line.kind]}</span>}
            {line?.text ?? 'the same'}
          </span>
        </div>
      ))}
    </div>
  )
}

/** `undefined` stands for a stretch left out. */
function foldSame(lines: readonly DiffLine[]): readonly (DiffLine | undefined)[] {
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - context), index + context + 1)
      .some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, index) => {
    if (isNear[index] === true) return [line]
    return index === 0 || isNear[index - 1] === true ? [undefined] : []
  })
}
