/** What the service says, kept current by its events. Panels read it and ask the channel for changes. */

import type { ChannelStatus } from '@parley/page/channel'
import { create } from 'zustand'

import type {
  Collection,
  LogLine,
  ModelEndpoint,
  QuestionView,
  Rule,
  ServerView,
  State,
  TaskView,
} from '../src/protocol/index.ts'
import { openChannel } from './channel.ts'

/** Older lines go; the trace has everything. */
const maximumLogLines = 5000

/** The state of the service as this page knows it. */
export interface Store {
  readonly status: ChannelStatus
  /** Whether the first state has arrived. */
  readonly isReady: boolean
  readonly version: string
  readonly servers: readonly ServerView[]
  readonly questions: readonly QuestionView[]
  readonly rules: readonly Rule[]
  readonly model: ModelEndpoint | undefined
  readonly tasks: readonly TaskView[]
  readonly logs: readonly LogLine[]
  readonly collections: readonly Collection[]
  readonly preferences: { readonly [name: string]: unknown }
  readonly trace: State['trace']
  readonly sandboxPort: number | undefined
  readonly may: State['may']
}

/** `useStore((store) => store.servers)` in a component, `useStore.getState()` elsewhere. */
export const useStore = create<Store>(() => ({
  status: 'connecting',
  isReady: false,
  version: '',
  servers: [],
  questions: [],
  rules: [],
  model: undefined,
  tasks: [],
  logs: [],
  collections: [],
  preferences: {},
  trace: { first: 0, last: 0, limit: 0 },
  sandboxPort: undefined,
  may: { spawn: true, change: true, diagnose: false, browse: false },
}))

/** Asks for the whole state after each connect, and follows the events. Called once, by the page's start. */
export function followService(): void {
  const channel = openChannel()
  const set = useStore.setState
  const load = async () => {
    const { model, sandboxPort, ...state } = await channel.ask('state/get', {})
    set({ ...state, model, sandboxPort, isReady: true })
  }
  channel.onStatus((status) => {
    set({ status })
    if (status === 'open') load().catch(ignoreLoss)
  })
  if (channel.status === 'open') load().catch(ignoreLoss)

  channel.on('servers/changed', ({ servers }) => set({ servers }))
  channel.on('questions/changed', ({ questions }) => set({ questions }))
  channel.on('tasks/changed', ({ tasks }) => set({ tasks }))
  followLogs()
}

/** Lines come in batches. */
function followLogs() {
  openChannel().on('logs/lines', ({ lines }) =>
    useStore.setState(({ logs }) => ({ logs: [...logs, ...lines].slice(-maximumLogLines) })),
  )
}

/** The page shows by its status that the service is gone; the state is asked for again when it is back. */
function ignoreLoss() {}
