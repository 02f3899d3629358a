import { ActionIcon, Select, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { jsonOf } from '@parley/page/json'
import { Empty, formatMs, formatTime } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { forgetRuns, useRuns, type Run } from '../runs.ts'
import { BatchSummary } from './batch-summary.tsx'
import { setDraft } from './drafts.ts'
import { RunView } from './run-view.tsx'
import { SaveRequest } from './save-request.tsx'
import { draftKey } from './tool-call.tsx'
import type { ToolItem } from './tool-item.ts'

export interface ToolResultProps {
  readonly server: ServerView
  readonly tool: ToolItem
}

/** What came of calling a tool: the newest run, or one of its history. */
export function ToolResult({ server, tool }: ToolResultProps): ReactElement {
  const all = useRuns(({ runs }) => runs)
  const [chosen, setChosen] = useState<string>()
  const runs = all.filter(
    (run) => run.server === server.name && run.subject === tool.name && run.method === 'tools/call',
  )
  const newest = runs[0]
  const run = runs.find(({ id }) => id === chosen) ?? newest
  if (run === undefined) {
    return (
      <Empty icon="play" title="No result yet">
        Run the tool with <kbd className="keys">Ctrl</kbd> <kbd className="keys">Enter</kbd>. Every
        answer of this session is kept here.
      </Empty>
    )
  }
  const together = run.batch === undefined ? [] : runs.filter(({ batch }) => batch === run.batch)
  return (
    <>
      <div className="column-head">
        <Select
          aria-label="History of this tool"
          leftSection={<Icon name="history" size={14} />}
          value={run.id}
          onChange={(id) => setChosen(id === newest?.id ? undefined : (id ?? undefined))}
          data={runs.map((item, index) => ({
            value: item.id,
            label: `#${runs.length - index} · ${formatTime(item.startedAt).slice(0, 8)} · ${describe(item)}`,
          }))}
          allowDeselect={false}
          className="grow history"
          comboboxProps={{ width: 320, position: 'bottom-start' }}
        />
        <SaveRequest run={run} />
        <Tooltip label="Use its arguments again">
          <ActionIcon
            aria-label="Use its arguments again"
            onClick={() =>
              setDraft(draftKey(server.name, tool.name), jsonOf(run.params['arguments']))
            }
          >
            <Icon name="repeat" size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Clear the history of this tool">
          <ActionIcon
            aria-label="Clear the history of this tool"
            onClick={() => forgetRuns(server.name, tool.name)}
          >
            <Icon name="trash" size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className="column-scroll">
        {together.length > 1 && <BatchSummary runs={together} />}
        <RunView run={run} server={server} tool={tool} />
      </div>
    </>
  )
}

function describe({ state, outcome }: Run): string {
  if (outcome === undefined) return state === 'cancelling' ? 'being cancelled' : 'running'
  if (outcome.error) return outcome.error.code
  const word = outcome.result?.['isError'] === true ? 'error' : 'ok'
  return `${word}, ${formatMs(outcome.durationMs)}`
}
