import { Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { AppFinding } from '../../src/protocol/index.ts'

const tones = { info: 'info', warning: 'warning', error: 'bad' } as const
const maxShown = 50

/** What its policy forbids of what the page of an app does, and what else is worth a look. */
export function AppFindings({
  findings,
}: {
  readonly findings: readonly AppFinding[]
}): ReactElement | null {
  if (findings.length === 0) return null
  const isBad = findings.some(({ level }) => level !== 'info')
  return (
    <details className="findings" open={isBad}>
      <summary>
        {findings.length} {findings.length === 1 ? 'remark' : 'remarks'} on the app
      </summary>
      <ul className="warnings" aria-label="Remarks on the app">
        {findings.slice(0, maxShown).map(({ level, message, detail, hint }) => (
          <li key={`${message} ${detail}`}>
            <Tag tone={tones[level]}>{level}</Tag>
            <div className="grow">
              {message} {detail !== undefined && <code className="mono quiet wrap">{detail}</code>}
              {hint !== undefined && <div className="hint">{hint}</div>}
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
