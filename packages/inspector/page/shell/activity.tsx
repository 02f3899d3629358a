import { Button } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { useRuns } from '../runs.ts'
import { useStore } from '../store.ts'
import { showTab } from '../view.ts'

/** In the header: what runs, what waits for an answer, and what this Inspector may not do. */
export function Activity(): ReactElement {
  const { questions, may } = useStore()
  const running = useRuns(({ runs }) => runs.filter((run) => run.state !== 'done').length)
  const open = questions.filter(({ state }) => state === 'open').length
  return (
    <>
      {running > 0 && (
        <span className="row quiet wide-only">
          <Icon name="refresh" size={13} className="spin" /> {running} running
        </span>
      )}
      {open > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="inbox" size={14} />}
          onClick={() => showTab('requests')}
        >
          {open} {open === 1 ? 'request waits' : 'requests wait'}
        </Button>
      )}
      {!may.change && <Tag icon="eye">Read only</Tag>}
      {!may.spawn && (
        <span className="wide-only">
          <Tag icon="shield">No commands</Tag>
        </span>
      )}
    </>
  )
}
