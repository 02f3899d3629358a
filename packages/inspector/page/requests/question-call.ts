import type { QuestionView } from '../../src/protocol/index.ts'
import type { Run } from '../runs.ts'
import type { TabId } from '../tabs.ts'

/** Where the call stands that a question belongs to. */
export interface CallLocation {
  readonly server: string
  readonly tab: TabId
  readonly item: string
}

const tabOf: { readonly [operation: string]: TabId } = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
}

/** Whether a question belongs to a run. One that names no call belongs to the only call of its server. */
export function isAskedBy(question: QuestionView, run: Run, runs: readonly Run[]): boolean {
  if (question.state !== 'open' || question.server !== run.server || run.state === 'done')
    return false
  const { operation, name } = question
  if (operation !== undefined) return operation === run.method && name === run.subject
  return (
    runs.filter((candidate) => candidate.server === run.server && candidate.state !== 'done')
      .length === 1
  )
}

/** Where this page shows the call of a question; undefined for one that this page did not make. */
export function locationOf(question: QuestionView, runs: readonly Run[]): CallLocation | undefined {
  const { server, operation, name } = question
  const run =
    operation === undefined
      ? runs.find((candidate) => isAskedBy(question, candidate, runs))
      : runs.find(
          (candidate) =>
            candidate.server === server &&
            candidate.method === operation &&
            candidate.subject === name,
        )
  const tab = run && tabOf[run.method]
  return run === undefined || tab === undefined ? undefined : { server, tab, item: run.subject }
}
