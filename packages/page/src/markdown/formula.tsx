import { useMemo, type ReactElement } from 'react'

import { createLoadable, useLoadable } from '../parts/loadable.ts'

/** Fetched with the first formula. */
const typesetter = createLoadable(async () => (await import('./typeset.ts')).typeset, 'on demand')

export interface FormulaProps {
  readonly tex: string
  readonly isBlock: boolean
}

/** A formula as MathML, which browsers draw and screen readers read; its source until it can be, and where it is wrong. */
export function Formula({ tex, isBlock }: FormulaProps): ReactElement {
  const loading = useLoadable(typesetter)
  const typeset = loading.state === 'ready' ? loading.value : undefined
  const drawn = useMemo(() => typeset?.(tex, isBlock), [typeset, tex, isBlock])
  if (drawn === undefined) return <code className="code-inline">{tex}</code>
  return isBlock ? (
    <span className="formula" tabIndex={0} role="region" aria-label="Formula">
      {drawn}
    </span>
  ) : (
    drawn
  )
}
