import { ActionIcon, Button, SegmentedControl, TextInput, Tooltip } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import { Icon, type IconName } from '../icons.tsx'
import { formatMs } from '../parts/duration.ts'
import { FilterHelp } from './filter-help.tsx'
import type { VisibleTrace } from './rows/visible-rows.ts'
import { TraceMenu } from './trace-menu.tsx'
import { useTraceSetting } from './trace-setting.ts'
import { setScope, showSource, useTrace } from './trace-state.ts'
import { OverviewPlot } from './waterfall/overview-plot.tsx'

/** The filter, the figures of what passes it, and what can be done with the trace. */
export function TraceToolbar(props: VisibleTrace): ReactElement {
  const { filter, summary, overall, isSearching, progress, lines } = props
  const { source, scope, filterText, range, isFollowing, isRealTime } = useTrace()
  const { source: live, hasOthers = false, full } = useTraceSetting()
  return (
    <div className="trace-toolbar">
      {source.isLive && hasOthers && (
        <SegmentedControl
          aria-label="Show messages of"
          className="trace-scope"
          value={scope}
          onChange={setScope}
          data={[
            { value: 'this', label: 'This server' },
            { value: 'all', label: 'All' },
          ]}
        />
      )}
      <TextInput
        className="trace-filter"
        aria-label="Filter of the trace"
        placeholder='method:tools status:error dur:>200 server:git text:"…"'
        value={filterText}
        error={filter.problem}
        leftSection={<Icon name="search" size={14} />}
        rightSection={
          filterText === '' ? (
            <FilterHelp />
          ) : (
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
          onClick={() => showSource(live)}
        >
          {source.name}
        </Button>
      )}
      <OverviewPlot summary={overall} />
      <Metrics summary={summary} isSearching={isSearching} progress={progress} />
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
        {full && (
          <Tool
            icon={full.isFull ? 'shrink' : 'expand'}
            label={full.isFull ? 'Back to the small trace (T)' : 'The trace on the full page (T)'}
            isOn={full.isFull}
            onClick={full.toggle}
          />
        )}
        <TraceMenu lines={lines} />
      </div>
    </div>
  )
}

function Metrics({
  summary,
  isSearching,
  progress,
}: Pick<VisibleTrace, 'summary' | 'isSearching' | 'progress'>): ReactElement {
  const { rows, errors, p50, p95, p99, from, to } = summary
  const seconds = (to - from) / 1000
  const rate = seconds > 1 ? rows / seconds : rows
  return (
    <dl className="trace-figures">
      <Metric name="rows">{rows.toLocaleString('en')}</Metric>
      {errors > 0 && (
        <Metric name="errors" isBad>
          {errors.toLocaleString('en')}
        </Metric>
      )}
      <Metric name="rate">{`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`}</Metric>
      <Metric name="p50">{p50 === undefined ? '–' : formatMs(p50)}</Metric>
      <Metric name="p95">{p95 === undefined ? '–' : formatMs(p95)}</Metric>
      <Metric name="p99">{p99 === undefined ? '–' : formatMs(p99)}</Metric>
      {progress < 1 && <Metric name="reading">{`${Math.round(progress * 100)} %`}</Metric>}
      {isSearching && <Metric name="searching">…</Metric>}
    </dl>
  )
}

function Metric(props: {
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
