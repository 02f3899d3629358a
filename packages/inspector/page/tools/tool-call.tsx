import { Button, Menu, NumberInput, SegmentedControl } from '@mantine/core'
import { sampleOf, startOf } from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import { isBlocked, JsonEditor, JsonTree, SchemaForm, useCheckedSend } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { jsonOf, recordOf } from '@parley/page/json'
import { ItemTitle, RichText, Tag } from '@parley/page/parts'
import { LoadPeerIcon, PeerIcon } from '@parley/page/peer-icons'
import { modifier } from '@parley/page/shell'
import { useRef, useState, type ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { isConnected } from '../lists.ts'
import { metaFor, RequestMeta } from '../parts/request-meta.tsx'
import { cancelRun, startRun, useRuns } from '../runs.ts'
import { useStore } from '../store.ts'
import { useDraft } from './drafts.ts'
import { Findings } from './tool-findings.tsx'
import type { ToolItem } from './tool-item.ts'

export interface ToolCallProps {
  readonly server: ServerView
  readonly tool: ToolItem
}

/** The arguments of a tool as a form and as JSON, always the same value; and the ways to run it. */
export function ToolCall({ server, tool }: ToolCallProps): ReactElement {
  const [mode, setMode] = useState<'form' | 'json' | 'schema'>('form')
  const [value, setValue] = useDraft(draftKey(server.name, tool.name), () => startValue(tool))
  const [times, setTimes] = useState(1)
  const [isAtOnce, setIsAtOnce] = useState(false)
  const checked = useCheckedSend(tool.inputSchema, value)
  const foot = useRef<HTMLDivElement>(null)
  const mayChange = useStore((store) => store.may.change)
  const running = useRuns(({ runs }) =>
    runs
      .filter((candidate) => isOf(candidate) && candidate.state !== 'done')
      .map(({ id }) => id)
      .join(' '),
  )
  const isReadOnly = tool.claims.some(({ word }) => word === 'read-only')
  const isAllowed = mayChange || isReadOnly
  const canRun = isAllowed && isConnected(server)

  function isOf(candidate: { server: string; subject: string; method: string }) {
    return (
      candidate.server === server.name &&
      candidate.subject === tool.name &&
      candidate.method === 'tools/call'
    )
  }

  async function run(asTask: boolean) {
    if (isBlocked(foot.current?.parentElement)) return
    const batch = times > 1 ? crypto.randomUUID() : undefined
    const request = {
      server: server.name,
      method: 'tools/call',
      params: { name: tool.name, arguments: value ?? {}, ...metaFor(server.name) },
      subject: tool.name,
      asTask,
      batch,
    }
    if (isAtOnce) {
      await Promise.all(Array.from({ length: times }, () => startRun(request)))
      return
    }
    for (let count = 0; count < times; count++) {
      const { error } = await startRun(request)
      if (error?.code === 'cancelled') return
    }
  }

  /** What does not fit is marked first; who wants to see what the server says to it insists. */
  function check(asTask: boolean) {
    if (!isBlocked(foot.current?.parentElement)) checked.send(() => void run(asTask))
  }

  return (
    <>
      <div className="column-scroll">
        <div>
          <div className="tool-title">
            <PeerIcon server={server.name} icons={tool.icons} size={22} />
            <h2 className="cut">
              <ItemTitle title={tool.title} name={tool.name} />
            </h2>
            {tool.claims.map(({ word, tone, says }) => (
              <Tag key={word} tone={tone} title={says}>
                {word}
              </Tag>
            ))}
            <Findings item={tool.item} />
          </div>
          <LoadPeerIcon server={server.name} icons={tool.icons} />
          {tool.description !== undefined && (
            <div className="tool-description">
              <RichText text={tool.description} limit={700} className="prose" />
            </div>
          )}
        </div>
        <div className="row wrap-row">
          <SegmentedControl
            aria-label="How to show the arguments"
            value={mode}
            onChange={setMode}
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
              { value: 'schema', label: 'Schema' },
            ]}
          />
          <span className="grow" />
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Icon name="spark" size={13} />}
            onClick={() => setValue(sampleOf(jsonOf(tool.inputSchema)))}
          >
            Example
          </Button>
          <Button
            className="plain-button"
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => setValue(startValue(tool))}
          >
            Clear
          </Button>
        </div>
        {mode === 'form' && (
          <SchemaForm
            schema={tool.inputSchema}
            value={value}
            onChange={setValue}
            label={`Arguments of ${tool.name}`}
            attempt={checked.attempt}
            none="Takes no arguments."
          />
        )}
        {mode === 'json' && (
          <JsonEditor
            value={value}
            onChange={setValue}
            label={`Arguments of ${tool.name} as JSON`}
            schema={tool.inputSchema}
          />
        )}
        {mode === 'schema' && (
          <>
            <div className="field-label">Input schema</div>
            <JsonTree value={tool.inputSchema} label="Input schema" />
            {tool.outputSchema !== undefined && (
              <>
                <div className="field-label">Output schema</div>
                <JsonTree value={tool.outputSchema} label="Output schema" />
              </>
            )}
          </>
        )}
        <RequestMeta server={server.name} />
      </div>
      <div className="column-foot" ref={foot}>
        {running !== '' ? (
          <Button
            color="red"
            variant="light"
            data-cancel="run"
            leftSection={<Icon name="stop" size={14} />}
            onClick={() => {
              for (const id of running.split(' ')) cancelRun(id)
            }}
          >
            Cancel
          </Button>
        ) : (
          <Button.Group>
            <Button
              data-run
              data-focus
              disabled={!canRun}
              leftSection={<Icon name="play" size={14} />}
              rightSection={
                <kbd className="keys" aria-hidden>
                  {modifier} ↵
                </kbd>
              }
              onClick={() => check(tool.taskSupport === 'required')}
            >
              {tool.taskSupport === 'required' ? 'Run as task' : 'Run'}
            </Button>
            <Menu position="top-start">
              <Menu.Target>
                <Button px={7} disabled={!canRun} aria-label="More ways to run">
                  <Icon name="chevronDown" size={14} />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<Icon name="play" />} onClick={() => check(false)}>
                  Run
                </Menu.Item>
                <Menu.Item
                  leftSection={<Icon name="clock" />}
                  disabled={tool.taskSupport === 'forbidden' && !hasTasks(server)}
                  onClick={() => check(true)}
                >
                  Run as task
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Button.Group>
        )}
        <NumberInput
          aria-label="How many times"
          value={times}
          onChange={(count) => setTimes(typeof count === 'number' ? Math.max(1, count) : 1)}
          min={1}
          max={1000}
          clampBehavior="strict"
          allowDecimal={false}
          prefix="× "
          w={84}
        />
        {times > 1 && (
          <SegmentedControl
            aria-label="In which order"
            value={isAtOnce ? 'at once' : 'in turn'}
            onChange={(order) => setIsAtOnce(order === 'at once')}
            data={['in turn', 'at once']}
          />
        )}
        {checked.isBlocked && canRun && running === '' && (
          <span className="row wrap-row">
            <span className="field-error">Not sent: they do not match the schema</span>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => void run(tool.taskSupport === 'required')}
            >
              Send anyway
            </Button>
          </span>
        )}
        {!isAllowed && <span className="quiet">Read only: this tool may change something.</span>}
        {isAllowed && !canRun && <span className="quiet">Not connected</span>}
      </div>
    </>
  )
}

/** Where the draft of a tool's arguments is kept. */
export function draftKey(server: string, tool: string): string {
  return `tool\n${server}\n${tool}`
}

/** From 2026-07-28 on tools do not say it: a server with the extension decides for each call. */
function hasTasks({ session }: ServerView): boolean {
  const extensions = recordOf(session?.server.capabilities['extensions'])
  return extensions['io.modelcontextprotocol/tasks'] !== undefined
}

function startValue({ inputSchema }: ToolItem): JsonValue {
  return startOf(jsonOf(inputSchema)) ?? {}
}
