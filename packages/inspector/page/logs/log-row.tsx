import { JsonTree } from '@parley/page/form'
import { formatTime } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { LogLine } from '../../src/protocol/index.ts'
import { levelOf, textOfLine } from './log-line.ts'

const shownLength = 600

/** One line: when, how severe, from where, and what; data opens as a tree. */
export function LogRow({
  line,
  hasServer,
}: {
  readonly line: LogLine
  readonly hasServer: boolean
}): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const text = textOfLine(line)
  const canOpen = typeof line.data === 'object' || text.length > shownLength
  return (
    <div className="log-row" data-level={line.from === 'server' ? levelOf(line) : line.from}>
      <span className="log-time">{formatTime(line.at)}</span>
      <span className="log-level">{line.from === 'server' ? levelOf(line) : line.from}</span>
      {hasServer && <span className="log-server cut">{line.server}</span>}
      <span className="log-text">
        {line.logger !== undefined && <span className="quiet">{line.logger}: </span>}
        {isOpen ? (
          <JsonTree value={line.data} label="Data of the line" />
        ) : (
          text.slice(0, shownLength)
        )}
        {canOpen && (
          <button type="button" className="link-button" onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'less' : 'open'}
          </button>
        )}
      </span>
    </div>
  )
}
