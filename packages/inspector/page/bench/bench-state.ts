import type { JsonValue } from '@parley/mcp'
import { create } from 'zustand'

import type { BenchReport } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'

/** What is to be put under load, as filled in. */
export interface BenchDraft {
  readonly tool: string | undefined
  readonly args: JsonValue | undefined
  readonly concurrency: number
  readonly seconds: number
  /** Calls a second; undefined keeps each caller waiting for its answer. */
  readonly rate: number | undefined
}

interface BenchState {
  readonly drafts: { readonly [server: string]: BenchDraft }
  /** Of each load the last report, newest load first. */
  readonly reports: readonly BenchReport[]
}

const maximumReports = 20

/** Loads go on while another tab is shown. */
export const useBench = create<BenchState>(() => ({ drafts: {}, reports: [] }))

export const firstDraft: BenchDraft = {
  tool: undefined,
  args: undefined,
  concurrency: 4,
  seconds: 10,
  rate: undefined,
}

/** Changes what is filled in for a server. */
export function changeDraft(server: string, change: Partial<BenchDraft>): void {
  useBench.setState(({ drafts }) => ({
    drafts: { ...drafts, [server]: { ...firstDraft, ...drafts[server], ...change } },
  }))
}

/** Puts a report in the place of the one before it. */
export function takeReport(report: BenchReport): void {
  useBench.setState(({ reports }) => {
    const exists = reports.some(({ id }) => id === report.id)
    const next = exists
      ? reports.map((item) => (item.id === report.id ? report : item))
      : [report, ...reports]
    return { reports: next.slice(0, maximumReports) }
  })
}

let isFollowing = false

/** Listens for reports from now on. */
export function followBench(): void {
  if (isFollowing) return
  isFollowing = true
  openChannel().on('bench/report', takeReport)
}
