import type { ReactElement } from 'react'

import type { Difference } from '../../src/checks/pinning/differences.ts'
import { PlainText } from './plain-text.tsx'

/** The values before and after, path by path. */
export function Differences({
  differences,
}: {
  readonly differences: readonly Difference[]
}): ReactElement {
  return (
    <div className="differences" role="region" aria-label="What changed" tabIndex={0}>
      {differences.map(({ path, before, after }) => (
        <div key={path} className="difference">
          <div className="mono">
            <PlainText text={path === '' ? '(all)' : path} />
          </div>
          {before !== undefined && (
            <del className="mono wrap">
              <span aria-hidden="true">− </span>
              <PlainText text={textOf(before)} most={4_000} />
            </del>
          )}
          {after !== undefined && (
            <ins className="mono wrap">
              <span aria-hidden="true">+ </span>
              <PlainText text={textOf(after)} most={4_000} />
            </ins>
          )}
        </div>
      ))}
    </div>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
