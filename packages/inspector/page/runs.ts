/** Requests made from this page: what is under way, how each ended, and what came too late. */

import { announce, problemOf } from '@parley/page/parts'
import { create } from 'zustand'

import type { Methods, RunOutcome, RunProgress } from '../src/protocol/index.ts'
import { openChannel } from './channel.ts'
import { keepRuns } from './keep-runs.ts'
import { areRuns, fromStored, toKeep } from './kept-history.ts'
import { keepInSession, readSession } from './session-memory.ts'
import { showTraceOfRun } from './view.ts'

const maximumRuns = 300
const announceEveryMs = 5000

/** One request and what became of it. */
export interface Run {
  readonly id: string
  readonly server: string
  readonly method: string
  readonly params: { readonly [name: string]: unknown }
  /** The tool, prompt or address it is about. */
  readonly subject: string
  readonly isTask: boolean
  /** Runs started together share it. */
  readonly batch?: string | undefined
  readonly startedAt: number
  readonly state: 'running' | 'cancelling' | 'done'
  readonly progress?: RunProgress | undefined
  readonly outcome?: RunOutcome | undefined
  /** An answer that came after the user cancelled. */
  readonly late?: RunOutcome | undefined
}

/** Newest first. */
export const useRuns = create<{ readonly runs: readonly Run[] }>(() => ({
  runs: fromStored(readSession('runs', areKept) ?? []),
}))
useRuns.subscribe(keepInSession('runs', () => toKeep(useRuns.getState().runs)))

/** What to ask of a server. */
export interface RunRequest {
  readonly server: string
  readonly method: string
  readonly params: { readonly [name: string]: unknown }
  readonly subject: string
  readonly asTask?: boolean | undefined
  readonly batch?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** Sends a request. Never rejects: what fails is an outcome with an error. */
export async function startRun(request: RunRequest): Promise<RunOutcome> {
  const { server, method, params, subject, asTask = false, batch, timeoutMs } = request
  const id = crypto.randomUUID()
  showTraceOfRun()
  const startedAt = Date.now()
  const run: Run = {
    id,
    server,
    method,
    params,
    subject,
    isTask: asTask,
    batch,
    startedAt,
    state: 'running',
  }
  useRuns.setState(({ runs }) => ({ runs: keepRuns([run, ...runs], maximumRuns) }))
  const asked: Methods['runs/start']['params'] = { server, run: id, method, params: { ...params } }
  if (asTask) asked.asTask = true
  if (timeoutMs !== undefined) asked.timeoutMs = timeoutMs

  const outcome = await openChannel()
    .ask('runs/start', asked)
    .catch((error: unknown): RunOutcome => {
      return { run: id, durationMs: Date.now() - startedAt, error: problemOf(error) }
    })
  change(id, (existing) => ({ ...existing, state: 'done', outcome }))
  announce(
    outcome.error
      ? `${subject} failed: ${outcome.error.message}`
      : `${subject} answered after ${Math.round(outcome.durationMs)} milliseconds`,
  )
  return outcome
}

/** Asks the server to stop; the run ends when the service says so. */
export function cancelRun(id: string): void {
  change(id, (run) => (run.state === 'running' ? { ...run, state: 'cancelling' } : run))
  announce('Cancellation requested')
  openChannel()
    .ask('runs/cancel', { run: id })
    .catch(() => {
      // It ended meanwhile, which the outcome shows.
    })
}

/** Forgets the runs that have ended, of one subject. */
export function forgetRuns(server: string, subject: string): void {
  useRuns.setState(({ runs }) => ({
    runs: runs.filter(
      (run) => run.server !== server || run.subject !== subject || run.state !== 'done',
    ),
  }))
}

/** Follows progress and late answers. Called once, by the page's start. */
export function followRuns(): void {
  const channel = openChannel()
  let announcedAt = 0
  channel.on('runs/progress', (progress) => {
    change(progress.run, (run) => ({ ...run, progress }))
    if (Date.now() - announcedAt < announceEveryMs) return
    announcedAt = Date.now()
    announce(describeProgress(progress))
  })
  channel.on('runs/late', (late) =>
    change(late.run, (run) => (wasCancelled(run) ? { ...run, late } : run)),
  )
}

/** In words, for a screen reader and for the line under the bar. */
export function describeProgress({ progress, total, message }: RunProgress): string {
  const part =
    total === undefined || total <= 0
      ? `${progress}`
      : `${Math.min(100, Math.round((progress / total) * 100))} %`
  return message === undefined ? part : `${part} · ${message}`
}

/** What this tab kept is of these shapes. */
function areKept(value: unknown): value is readonly Run[] {
  return areRuns(value)
}

function wasCancelled({ state, outcome }: Run): boolean {
  return state === 'cancelling' || outcome?.error?.code === 'cancelled'
}

function change(id: string, update: (run: Run) => Run): void {
  useRuns.setState(({ runs }) => ({
    runs: runs.map((run) => (run.id === id ? update(run) : run)),
  }))
}
