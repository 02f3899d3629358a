import './trace.css'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useLayoutEffect, type ReactElement } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'

import { Empty } from '../parts/empty.tsx'
import { useFlags } from '../shell/flags.ts'
import { isField } from '../shell/keys.ts'
import { CompareView } from './compare/compare-view.tsx'
import { canReplay, replayRow } from './replay.ts'
import { TraceList } from './rows/trace-list.tsx'
import { useVisibleTrace, type VisibleLine } from './rows/visible-rows.ts'
import { TraceDetail } from './trace-detail.tsx'
import { TraceContext, useTraceSetting, type TraceSetting } from './trace-setting.ts'
import { adoptSource, selectRow, useTrace } from './trace-state.ts'
import { TraceToolbar } from './trace-toolbar.tsx'

/** Below this the content of a row takes the place of the list. */
const narrow = 720

/** Everything that crossed the connections, in time: list and waterfall, filter, and the content of what is picked. */
export function TraceViewer(props: TraceSetting): ReactElement {
  const { source } = props
  const isAdopted = useTrace(({ live }) => live === source)
  useLayoutEffect(() => adoptSource(source), [source])
  return <TraceContext value={props}>{isAdopted && <TraceBody />}</TraceContext>
}

function TraceBody(): ReactElement {
  const { actions } = useTraceSetting()
  const { source, selected, compared, isComparing, filterText } = useTrace()
  const visible = useVisibleTrace()
  const { lines, gaps } = visible
  const { ref, width } = useElementSize<HTMLDivElement>()
  const row = selected === undefined ? undefined : source.table.find(selected)
  const replay = () => {
    if (row && canReplay(row)) void replayRow(row, actions)
  }
  useTraceKeys(lines, replay)
  if (isComparing && compared) return <CompareView other={compared} />
  const isNarrow = width > 0 && width < narrow
  const list =
    lines.length === 0 ? (
      <Empty icon="wave" title={filterText === '' ? 'Nothing yet' : 'No rows match the filter'}>
        {filterText === ''
          ? 'Every message of every connection appears here as it happens.'
          : 'Remove a part of the filter to see more.'}
      </Empty>
    ) : (
      <TraceList lines={lines} gaps={gaps} onReplay={replay} />
    )
  return (
    <div className="trace" ref={ref}>
      <TraceToolbar {...visible} />
      {isNarrow ? (
        <div className="trace-body">{row ? <TraceDetail row={row} /> : list}</div>
      ) : (
        <Group className="trace-body" orientation="horizontal" id="trace-columns">
          <Panel id="trace-list" minSize={320} className="column-panel">
            {list}
          </Panel>
          {row && <Separator className="separator" aria-label="Width of the content" />}
          {row && (
            <Panel id="trace-detail" defaultSize="42%" minSize={260} className="column-panel">
              <TraceDetail key={row.entry.seq} row={row} />
            </Panel>
          )}
        </Group>
      )}
    </div>
  )
}

/** `.` sends the row once more, `[` and `]` go to the one before and after; off in fields, and where letters are off. */
function useTraceKeys(lines: readonly VisibleLine[], replay: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!useFlags.getState().hasLetterKeys || isField(target)) return
      if (key === '.') replay()
      else if (key === '[' || key === ']') step(lines, key === '[' ? -1 : 1)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}

function step(lines: readonly VisibleLine[], by: 1 | -1) {
  const { selected } = useTrace.getState()
  const seqs = lines.flatMap((line) => (line.kind === 'row' ? [line.row.entry.seq] : []))
  const at = selected === undefined ? -1 : seqs.indexOf(selected)
  const next = at === -1 ? (by === 1 ? 0 : seqs.length - 1) : at + by
  const seq = seqs[next]
  if (seq !== undefined) selectRow(seq)
}
