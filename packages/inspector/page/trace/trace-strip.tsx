import { Icon } from '@parley/page/icons'
import type { ReactElement } from 'react'

import { toggleTrace } from '../view.ts'

/** The closed trace: one line that opens it. */
export function TraceStrip(): ReactElement {
  return (
    <section aria-label="Trace" className="trace-strip" data-pane tabIndex={-1}>
      <button type="button" className="nav" aria-expanded={false} onClick={toggleTrace}>
        <Icon name="chevronUp" size={14} /> Trace
        <span className="quiet cut grow">every message between here and the servers</span>
        <kbd className="keys wide-only">t</kbd>
      </button>
    </section>
  )
}
