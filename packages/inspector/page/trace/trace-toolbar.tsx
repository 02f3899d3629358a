import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core'
import { useRef, type ReactElement, type ReactNode } from 'react'

import { openChannel } from '../channel.ts'
import { Icon, type IconName } from '../icons.tsx'
import { formatMs } from '../parts/duration.ts'
import { showProblem } from '../parts/problem.tsx'
import { downloadText } from './download.ts'
import { readTraceText } from './file-source.ts'
import type { Filter } from './filter.ts'
import { liveTrace } from './live-source.ts'
import { OverviewPlot } from './overview-plot.tsx'
import type { Summary } from './summary.ts'
import { showSource, useTrace } from './trace-state.ts'

export interface TraceToolbarProps {
  readonly filter: Filter
  readonly summary: Summary
  readonly overall: Summary
  readonly isSearching: boolean
  readonly progress: number
}

/** The filter, the figures of what passes it, and what can be done with the trace. */
export function TraceToolbar(props: TraceToolbarProps): ReactElement {
  const { filter, summary, overall, isSearching, progress } = props
  const { source, filterText, range, isFollowing, isRealTime } = useTrace()
  return (
    <div className="trace-toolbar">
      <TextInput
        className="trace-filter"
        aria-label="Filter of the trace"
        placeholder='method:tools status:error dur:>200 server:git text:"…"'
        value={filterText}
        error={filter.fault}
        leftSection={<Icon name="search" size={14} />}
        rightSection={
          filterText !== '' && (
            <ActionIcon
              size={20}
              aria-label="Clear the filter"
              onClick={() => useTrace.setState({ filterText: '' })}
            >
              <Icon name="cross" size={12} />
            </ActionIcon>
          )
        }
        onChange={(event) => useTrace.setState({ filterText: event.currentTarget.value })}
        spellCheck={false}
      />
      {!source.isLive && (
        <Button
          size="compact-xs"
          variant="light"
          rightSection={<Icon name="cross" size={12} />}
          onClick={() => showSource(liveTrace())}
        >
          {source.name}
        </Button>
      )}
      <OverviewPlot summary={overall} />
      <Figures summary={summary} isSearching={isSearching} progress={progress} />
      {range && (
        <Button
          size="compact-xs"
          variant="light"
          onClick={() => useTrace.setState({ range: undefined })}
        >
          Show all
        </Button>
      )}
      <div className="trace-tools">
        <Tool
          icon="clock"
          label={isRealTime ? 'Fold idle time' : 'Show idle time as long as it was'}
          isOn={isRealTime}
          onClick={() => useTrace.setState({ isRealTime: !isRealTime })}
        />
        {source.isLive && (
          <Tool
            icon={isFollowing ? 'chevronDown' : 'stop'}
            label={isFollowing ? 'Stop following the newest' : 'Follow the newest'}
            isOn={isFollowing}
            onClick={() => useTrace.setState({ isFollowing: !isFollowing })}
          />
        )}
        <TraceMenu />
      </div>
    </div>
  )
}

function Figures({
  summary,
  isSearching,
  progress,
}: Pick<TraceToolbarProps, 'summary' | 'isSearching' | 'progress'>): ReactElement {
  const { rows, errors, p50, p95, p99, from, to } = summary
  const seconds = (to - from) / 1000
  const rate = seconds > 1 ? rows / seconds : rows
  return (
    <dl className="trace-figures">
      <Figure name="rows">{rows.toLocaleString('en')}</Figure>
      {errors > 0 && (
        <Figure name="errors" isBad>
          {errors.toLocaleString('en')}
        </Figure>
      )}
      <Figure name="rate">{`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`}</Figure>
      <Figure name="p50">{p50 === undefined ? '–' : formatMs(p50)}</Figure>
      <Figure name="p95">{p95 === undefined ? '–' : formatMs(p95)}</Figure>
      <Figure name="p99">{p99 === undefined ? '–' : formatMs(p99)}</Figure>
      {progress < 1 && <Figure name="reading">{`${Math.round(progress * 100)} %`}</Figure>}
      {isSearching && <Figure name="searching">…</Figure>}
    </dl>
  )
}

function Figure(props: {
  readonly name: string
  readonly isBad?: boolean
  readonly children: ReactNode
}): ReactElement {
  return (
    <div data-tone={props.isBad ? 'bad' : undefined}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

function TraceMenu(): ReactElement {
  const file = useRef<HTMLInputElement>(null)
  const purpose = useRef<'open' | 'compare'>('open')
  const choose = (next: 'open' | 'compare') => {
    purpose.current = next
    file.current?.click()
  }
  const take = async (picked: File | undefined) => {
    if (!picked) return
    const opened = readTraceText(picked.name, await picked.text())
    if (opened.records.length === 0) {
      showProblem(
        new Error('no line of it is a trace record'),
        `${picked.name} could not be opened`,
      )
    } else if (purpose.current === 'open') showSource(opened)
    else useTrace.setState({ compared: opened, isComparing: true })
  }
  const save = (format: 'jsonl' | 'har' | 'markdown' | 'test') => {
    openChannel()
      .ask('trace/export', { format })
      .then(({ name, text }) => downloadText(name, text))
      .catch((error: unknown) => showProblem(error, 'The trace could not be saved'))
  }
  return (
    <>
      <input
        ref={file}
        type="file"
        accept=".jsonl,.json,.txt"
        hidden
        aria-label="A trace file"
        data-trace-file
        onChange={(event) => {
          void take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="Save, open, compare">
            <ActionIcon size={26} aria-label="What to do with the trace">
              <Icon name="dots" size={15} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Save as</Menu.Label>
          <Menu.Item onClick={() => save('jsonl')}>Trace file</Menu.Item>
          <Menu.Item onClick={() => save('har')}>HAR</Menu.Item>
          <Menu.Item onClick={() => save('markdown')}>Report in Markdown</Menu.Item>
          <Menu.Item onClick={() => save('test')}>Test in TypeScript</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => choose('open')}>Open a file…</Menu.Item>
          <Menu.Item onClick={() => choose('compare')}>Compare with a file…</Menu.Item>
          <Menu.Item onClick={() => useTrace.setState({ filterText: 'is:pinned' })}>
            Show pinned
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            onClick={() => {
              liveTrace()
                .clear()
                .catch((error: unknown) => showProblem(error, 'The trace could not be cleared'))
              useTrace.setState({ selected: undefined, range: undefined })
            }}
          >
            Clear
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

function Tool(props: {
  readonly icon: IconName
  readonly label: string
  readonly isOn: boolean
  readonly onClick: () => void
}): ReactElement {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        size={26}
        aria-label={props.label}
        aria-pressed={props.isOn}
        variant={props.isOn ? 'light' : 'subtle'}
        color={props.isOn ? 'iris' : 'gray'}
        onClick={props.onClick}
      >
        <Icon name={props.icon} size={14} />
      </ActionIcon>
    </Tooltip>
  )
}
