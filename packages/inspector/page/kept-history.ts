import { isJsonObject } from '@parley/mcp/json'

import type { RunOutcome } from '../src/protocol/index.ts'

/** What of a run matters here. */
interface Keepable {
  readonly id: string
  readonly state: 'running' | 'cancelling' | 'done'
  readonly outcome?: RunOutcome | undefined
}

/** How many runs outlive a reload. */
const maxStored = 50
const maxResultLength = 100_000

/** The newest runs as they are kept: without results that would leave no room for others. */
export function toKeep<R extends Keepable>(runs: readonly R[]): readonly R[] {
  return runs.slice(0, maxStored).map((run) => {
    const { outcome } = run
    if (!outcome || JSON.stringify(outcome).length <= maxResultLength) return run
    const { result, ...rest } = outcome
    const error = {
      code: 'not_kept',
      message: 'This result was too large to keep while the page was reloaded.',
      hint: 'The trace has it.',
    }
    return { ...run, outcome: result === undefined ? rest : { ...rest, error } }
  })
}

/** Those that were kept; what was under way when the page was left has no answer here. */
export function fromStored<R extends Keepable>(runs: readonly R[]): readonly R[] {
  return runs.map((run) => {
    if (run.state === 'done') return run
    const error = {
      code: 'page_reloaded',
      message: 'The page was reloaded before the answer arrived.',
      hint: 'The trace has it.',
    }
    return { ...run, state: 'done', outcome: { run: run.id, durationMs: 0, error } }
  })
}

/** Whether it is what `toKeep` made. */
export function areRuns(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (run) =>
        isJsonObject(run) &&
        typeof run['id'] === 'string' &&
        typeof run['server'] === 'string' &&
        typeof run['subject'] === 'string' &&
        isJsonObject(run['params']),
    )
  )
}
