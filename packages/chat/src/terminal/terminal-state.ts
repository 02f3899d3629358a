import type { ContextOptions, ServerState } from '@parley/host'

import { emptyComposer, type Composer } from './composer.ts'
import type { Line } from './line.ts'
import type { Sheet } from './sheets/sheet.ts'
import { emptyThread, type Thread } from './thread.ts'

/** What the terminal shows. Replaced, never changed. */
export interface TerminalState {
  /** Written once, in order. */
  readonly written: readonly Line[]
  readonly thread: Thread
  readonly composer: Composer
  /** The question that is shown. */
  readonly sheet: Sheet | undefined
  /** The first line of the sheet that is shown, if it is long. */
  readonly scroll: number
  /** Where keys go. What is being written when a question comes is not taken for its answer. */
  readonly focus: 'composer' | 'sheet'
  readonly turn: 'none' | 'running' | 'stopping'
  readonly model: string
  readonly mode: ContextOptions['mode']
  readonly servers: readonly { readonly name: string; readonly state: ServerState }[]
  /** Resources and messages of prompts for the next turn. */
  readonly attached: number
  /** Questions that wait. */
  readonly waiting: number
  /** A word about the last key. */
  readonly hint: string
  /** The next Ctrl-C leaves. */
  readonly isLeaving: boolean
}

/** Before anything happened. */
export function firstState(model: string): TerminalState {
  return {
    written: [],
    thread: emptyThread,
    composer: emptyComposer,
    sheet: undefined,
    scroll: 0,
    focus: 'composer',
    turn: 'none',
    model,
    mode: undefined,
    servers: [],
    attached: 0,
    waiting: 0,
    hint: '',
    isLeaving: false,
  }
}
