import { Button, NumberInput, SegmentedControl, Select } from '@mantine/core'
import { startOf } from '@parley/foundation/forms'
import { isJsonObject } from '@parley/mcp/json'
import { SchemaForm } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { showProblem } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { openChannel } from '../channel.ts'
import { useStore } from '../store.ts'
import type { ToolItem } from '../tools/tool-item.ts'
import { changeDraft, firstDraft, takeReport, useBench } from './bench-state.ts'

export interface BenchPlanFormProps {
  readonly server: string
  readonly tools: readonly ToolItem[]
}

/** What to call, how often and for how long. */
export function BenchPlanForm({ server, tools }: BenchPlanFormProps): ReactElement {
  const draft = useBench(({ drafts }) => drafts[server]) ?? firstDraft
  const running = useBench(({ reports }) =>
    reports.find((report) => report.plan.server === server && !report.done),
  )
  const mayChange = useStore((store) => store.may.change)
  const [isStarting, setIsStarting] = useState(false)
  const tool = tools.find(({ name }) => name === draft.tool)
  const isOpenLoop = draft.rate !== undefined
  const set = (change: Partial<typeof draft>) => changeDraft(server, change)

  const start = async () => {
    if (!tool) return
    setIsStarting(true)
    try {
      await openChannel().ask('bench/start', {
        server,
        tool: tool.name,
        args: isJsonObject(draft.args) ? draft.args : {},
        concurrency: draft.concurrency,
        durationMs: draft.seconds * 1000,
        ...(draft.rate !== undefined && { rate: draft.rate }),
      })
    } catch (error) {
      showProblem(error, 'The load could not begin')
    } finally {
      setIsStarting(false)
    }
  }
  const stop = (id: string) => {
    openChannel()
      .ask('bench/stop', { id })
      .then(takeReport)
      .catch((error: unknown) => showProblem(error, 'The load could not be stopped'))
  }

  return (
    <>
      <div className="column-scroll">
        <Select
          label="Tool"
          data={[...new Set(tools.map(({ name }) => name))]}
          value={draft.tool ?? null}
          searchable
          placeholder="Choose what to call"
          onChange={(name) => {
            const next = tools.find((candidate) => candidate.name === name)
            if (next) set({ tool: next.name, args: startOf(next.inputSchema) })
          }}
        />
        <div className="bench-numbers">
          <NumberInput
            label="Callers"
            description="at the same time"
            min={1}
            max={1000}
            value={draft.concurrency}
            onChange={(count) => typeof count === 'number' && set({ concurrency: count })}
          />
          <NumberInput
            label="Seconds"
            description="how long"
            min={1}
            max={3600}
            value={draft.seconds}
            onChange={(count) => typeof count === 'number' && set({ seconds: count })}
          />
          {isOpenLoop && (
            <NumberInput
              label="Rate"
              description="calls a second"
              min={0.1}
              max={100_000}
              value={draft.rate ?? 10}
              onChange={(count) => typeof count === 'number' && set({ rate: count })}
            />
          )}
        </div>
        <div>
          <SegmentedControl
            aria-label="When a call is made"
            value={isOpenLoop ? 'open' : 'closed'}
            onChange={(loop) => set({ rate: loop === 'open' ? 50 : undefined })}
            data={[
              { value: 'closed', label: 'After the answer' },
              { value: 'open', label: 'At a fixed rate' },
            ]}
          />
          <div className="field-text bench-hint">
            {isOpenLoop
              ? 'Calls are due whether or not earlier ones were answered; latency counts from when a call was due.'
              : 'Each caller waits for its answer before it calls again.'}
          </div>
        </div>
        {tool && (
          <SchemaForm
            schema={tool.inputSchema}
            value={draft.args}
            onChange={(args) => set({ args })}
            label={`Arguments of ${tool.name}`}
          />
        )}
      </div>
      <div className="column-foot">
        {running ? (
          <Button
            color="red"
            variant="light"
            data-cancel
            leftSection={<Icon name="stop" size={14} />}
            onClick={() => stop(running.id)}
          >
            Stop
          </Button>
        ) : (
          <Button
            data-run
            loading={isStarting}
            disabled={!tool || !mayChange}
            leftSection={<Icon name="gauge" size={14} />}
            onClick={() => void start()}
          >
            Start the load
          </Button>
        )}
        {!mayChange && <span className="quiet">Read only: no load can be made.</span>}
      </div>
    </>
  )
}
