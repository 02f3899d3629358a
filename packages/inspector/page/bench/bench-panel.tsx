import './bench.css'
import { Select } from '@mantine/core'
import { Columns, Empty, useIsNarrow } from '@parley/page/parts'
import { useEffect, useMemo, useState, type ReactElement } from 'react'

import type { BenchReport, ServerView } from '../../src/protocol/index.ts'
import { useList } from '../lists.ts'
import { ListFrame } from '../parts/list-frame.tsx'
import { readTool } from '../tools/tool-item.ts'
import { BenchPlanForm } from './bench-plan.tsx'
import { BenchReportView } from './bench-report.tsx'
import { followBench, useBench } from './bench-state.ts'

export interface BenchPanelProps {
  /** The server to put under load. */
  readonly server: ServerView
}

/** Puts a load on one tool and shows how it held. */
export function BenchPanel({ server: view }: BenchPanelProps): ReactElement {
  const { name: server } = view
  const list = useList(view, 'tools')
  const tools = useMemo(() => list.items.map(readTool), [list.items])
  const isNarrow = useIsNarrow()
  useEffect(followBench, [])
  const plan = <BenchPlanForm server={server} tools={tools} />
  const reports = <Reports server={server} />
  return (
    <ListFrame server={view} kind="tools" list={list} icon="gauge">
      {isNarrow ? (
        <div className="narrow-detail">
          {plan}
          {reports}
        </div>
      ) : (
        <Columns
          id="bench"
          columns={[
            { id: 'bench-plan', label: 'Plan of the load', size: '36%', least: 260, node: plan },
            { id: 'bench-report', label: 'How it went', size: '64%', least: 320, node: reports },
          ]}
        />
      )}
    </ListFrame>
  )
}

function Reports({ server }: { readonly server: string }): ReactElement {
  const all = useBench((state) => state.reports)
  const reports = all.filter(({ plan }) => plan.server === server)
  const [picked, setPicked] = useState<string>()
  const shown = reports.find(({ id }) => id === picked) ?? reports[0]
  if (!shown) {
    return (
      <Empty icon="gauge" title="No load yet">
        Choose a tool and start: latency, rate and errors appear while it runs.
      </Empty>
    )
  }
  return (
    <div className="column-scroll">
      {reports.length > 1 && (
        <Select
          aria-label="Which load"
          value={shown.id}
          data={reports.map((report, index) => ({
            value: report.id,
            label: nameOf(report, index),
          }))}
          allowDeselect={false}
          onChange={(id) => setPicked(id ?? undefined)}
        />
      )}
      <BenchReportView report={shown} />
    </div>
  )
}

function nameOf({ plan, calls, perSecond }: BenchReport, index: number): string {
  const rate = Math.round(perSecond).toLocaleString('en')
  return `${index === 0 ? 'Newest: ' : ''}${plan.tool}, ${calls.toLocaleString('en')} calls, ${rate} a second`
}
