import { ActionIcon, Select, SegmentedControl, Switch, TextInput, Tooltip } from '@mantine/core'
import { loggingLevels } from '@parley/mcp'
import { Icon } from '@parley/page/icons'
import { Empty, saveFile, showProblem } from '@parley/page/parts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react'

import type { LogLine, ServerView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { isConnected } from '../lists.ts'
import { useStore } from '../store.ts'
import { levelOf, textOfLine } from './log-line.ts'
import { LogRow } from './log-row.tsx'

import './logs.css'

/** Log messages, standard error and what the inspector says, merged by time. */
export function LogsPanel({ server }: { readonly server: ServerView }): ReactElement {
  const logs = useStore((store) => store.logs)
  const [scope, setScope] = useState<'this' | 'all'>('this')
  const [least, setLeast] = useState<string>('debug')
  const [search, setSearch] = useState('')
  const [isFollowing, setIsFollowing] = useState(true)
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useMemo(
    () =>
      logs.filter((line) =>
        isWanted(line, { server: scope === 'this' ? server.name : undefined, least, search }),
      ),
    [logs, scope, least, search, server.name],
  )
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 26,
    overscan: 20,
  })

  useEffect(() => {
    if (isFollowing && lines.length > 0) rows.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [isFollowing, lines.length, rows])

  const canSetLevel =
    isConnected(server) && server.session?.server.capabilities['logging'] !== undefined

  return (
    <section className="column" aria-label="Logs" data-pane tabIndex={-1}>
      <div className="column-head logs-head">
        <SegmentedControl
          aria-label="Show lines of"
          value={scope}
          onChange={setScope}
          data={[
            { value: 'this', label: server.name },
            { value: 'all', label: 'All servers' },
          ]}
        />
        <Select
          aria-label="Lowest level shown"
          w={150}
          value={least}
          onChange={(level) => setLeast(level ?? 'debug')}
          data={loggingLevels.map((level) => ({ value: level, label: `${level} and up` }))}
          allowDeselect={false}
        />
        <TextInput
          className="grow logs-search"
          aria-label="Search the lines"
          placeholder="Search"
          data-search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<Icon name="search" size={14} />}
        />
        <Switch
          label="Follow"
          checked={isFollowing}
          onChange={(event) => setIsFollowing(event.currentTarget.checked)}
        />
        <Tooltip
          label={
            canSetLevel
              ? 'Minimum level that the server sends'
              : 'This server sends no log messages'
          }
        >
          <Select
            aria-label="Level requested from the server"
            w={170}
            placeholder="Server's level"
            disabled={!canSetLevel}
            value={server.settings.logLevel ?? null}
            onChange={(level) => {
              if (level !== null) setLevel(server.name, level)
            }}
            data={[...loggingLevels]}
            leftSection={<Icon name="tag" size={14} />}
          />
        </Tooltip>
        <Tooltip label="Save these lines">
          <ActionIcon
            aria-label="Save these lines"
            onClick={() => saveFile(`${server.name}.log`, asText(lines), 'text/plain')}
          >
            <Icon name="download" size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      {lines.length === 0 ? (
        <Empty icon="list" title={logs.length === 0 ? 'No lines yet' : 'No matching lines'}>
          Log messages of the server and its standard error appear here as they arrive.
        </Empty>
      ) : (
        <div
          ref={scroller}
          className="log-lines"
          role="log"
          aria-label="Lines"
          aria-live="off"
          tabIndex={0}
          data-list
          onWheel={(event) => {
            if (event.deltaY < 0) setIsFollowing(false)
          }}
        >
          <div className="pick-list-space" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map(({ index, start, key }) => {
              const line = lines[index]
              return (
                line && (
                  <div
                    key={key}
                    ref={rows.measureElement}
                    data-index={index}
                    className="log-place"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <LogRow line={line} hasServer={scope === 'all'} />
                  </div>
                )
              )
            })}
          </div>
        </div>
      )}
    </section>
  )
}

function setLevel(server: string, level: string) {
  openChannel()
    .ask('logging/level', { server, level })
    .catch((error: unknown) => showProblem(error, 'The level was not set'))
}

interface Wanted {
  readonly server: string | undefined
  readonly least: string
  readonly search: string
}

function isWanted(line: LogLine, { server, least, search }: Wanted): boolean {
  if (server !== undefined && line.server !== server) return false
  const order = loggingLevels.indexOf(levelOf(line))
  if (order < loggingLevels.findIndex((level) => level === least)) return false
  return search === '' || textOfLine(line).toLowerCase().includes(search.toLowerCase())
}

function asText(lines: readonly LogLine[]): string {
  return lines
    .map((line) =>
      [
        new Date(line.at).toISOString(),
        line.server,
        levelOf(line),
        line.logger ?? line.from,
        textOfLine(line),
      ].join('\t'),
    )
    .join('\n')
}
