/** What the service says, kept current by its events. */

import type { AttachedResource, TurnEvent, TurnInput } from '@parley/host'
import type { ChannelStatus } from '@parley/page/channel'
import { announce } from '@parley/page/parts'
import { create } from 'zustand'

import type { ConversationView, State } from '../src/protocol/index.ts'
import type { ConversationSummary } from '../src/store/conversation-store.ts'
import { channel } from './channel.ts'
import { addTimed, type TimedEvent } from './thread/timed-event.ts'

/** The turn that runs in the shown conversation. */
export interface Running {
  readonly input: TurnInput
  readonly startedAt: number
  readonly events: readonly TimedEvent[]
  /** It is over, and its end has not been read from the store yet. */
  readonly isEnded: boolean
}

/** The state of the service as this page knows it. */
export interface Store extends State {
  readonly status: ChannelStatus
  /** Whether the first state has arrived. */
  readonly isReady: boolean
  /** The conversation that is shown. */
  readonly shown?: ConversationView['summary'] | undefined
  readonly entries: ConversationView['entries']
  readonly running?: Running | undefined
  /** The resources that went to the model in the shown conversation. */
  readonly attached: readonly AttachedResource[]
}

/** `useStore((store) => store.servers)` in a component, `useStore.getState()` elsewhere. */
export const useStore = create<Store>(() => ({
  status: 'connecting',
  isReady: false,
  version: '',
  models: [],
  servers: [],
  questions: [],
  conversations: [],
  busy: [],
  meter: {
    isEstimate: true,
    windowTokens: 0,
    servers: [],
    definitionsSent: 0,
    hostDefinitions: 0,
    definitionsOfAll: 0,
    instructions: 0,
  },
  roots: [],
  isFirstRun: false,
  canSetUp: false,
  titles: 'words',
  canBrowse: false,
  canAddCustom: false,
  folder: '',
  entries: [],
  attached: [],
}))

const set = useStore.setState
const get = useStore.getState

/** The share of the model's window that definitions and instructions take. */
export function shareSent({ windowTokens, definitionsSent, instructions }: State['meter']): number {
  return windowTokens === 0 ? 0 : (definitionsSent + instructions) / windowTokens
}

/** Asks for the whole state after each connect, and follows the events. Called once, by the page's start. */
export function followService(): void {
  const load = async () => {
    set({ ...(await channel.ask('state/get', {})), isReady: true })
    const id = get().shown?.id ?? idInAddress()
    if (id !== undefined) await show(id).catch(() => leave())
  }
  channel.onStatus((status) => {
    set({ status })
    if (status === 'open') load().catch(ignoreLoss)
  })
  if (channel.status === 'open') load().catch(ignoreLoss)

  channel.on('servers/changed', (changed) => set(changed))
  channel.on('questions/changed', ({ questions }) => {
    if (questions.length > get().questions.length) announce('A question waits for your answer.')
    set({ questions })
  })
  channel.on('conversations/changed', ({ changed }) => {
    if ('removed' in changed) return forget(changed.removed)
    // The newest version stands for all of them.
    const others = get().conversations.filter(
      ({ id, thread }) => id !== changed.id && (thread ?? id) !== (changed.thread ?? changed.id),
    )
    const conversations = [changed, ...others].toSorted((a, b) => b.changedAt - a.changedAt)
    set({ conversations, ...(get().shown?.id === changed.id && { shown: changed }) })
  })
  channel.on('attached/changed', ({ uri }) => void loadAttached(uri))
  channel.on('turn/begun', ({ conversation, input, startedAt }) => {
    set({ busy: [...get().busy.filter((id) => id !== conversation), conversation] })
    if (get().shown?.id !== conversation) return
    set({ running: { input, startedAt, events: [], isEnded: false } })
  })
  channel.on('turn/event', ({ conversation, event, at }) => {
    if (event.type === 'end') set({ busy: get().busy.filter((id) => id !== conversation) })
    if (get().shown?.id === conversation) applyEvent(event, at)
  })
}

/** Pieces of text come faster than anybody reads: they are drawn once a frame. */
let waiting: TimedEvent[] = []

function applyEvent(event: TurnEvent, at: number): void {
  if (waiting.length === 0) requestAnimationFrame(flush)
  waiting.push({ event, at })
  if (event.type !== 'end') return
  flush()
  announce(event.reason === 'answered' ? 'The answer is complete.' : 'The turn has ended.')
  const id = get().shown?.id
  if (id !== undefined) void reload(id)
  void loadAttached()
}

/** What is attached to the shown conversation; says so if the one that is named has changed. */
async function loadAttached(uri?: string): Promise<void> {
  const id = get().shown?.id
  if (id === undefined) return set({ attached: [] })
  const attached = await channel.ask('attached/list', { conversation: id }).catch(() => [])
  if (get().shown?.id !== id) return
  set({ attached })
  const isChanged = attached.some(
    (candidate) => candidate.uri === uri && candidate.change !== undefined,
  )
  if (isChanged) announce('A resource that you attached has changed.')
}

function flush(): void {
  const fresh = waiting
  waiting = []
  const { running } = get()
  if (running === undefined || fresh.length === 0) return
  const isEnded = running.isEnded || fresh.some(({ event }) => event.type === 'end')
  set({ running: { ...running, isEnded, events: addTimed(running.events, fresh) } })
}

/** After a turn: what was stored takes the place of what was heard. */
async function reload(id: string): Promise<void> {
  const before = get().entries.length
  const { summary, entries, running } = await channel.ask('conversations/open', { id })
  if (get().shown?.id !== id || running !== undefined) return
  // A turn that could not be stored stays as it was heard.
  if (entries.length > before) set({ shown: summary, entries, running: undefined })
}

/** Shows a conversation. */
export async function show(id: string): Promise<void> {
  const { summary, entries, running } = await channel.ask('conversations/open', { id })
  waiting = []
  set({
    shown: summary,
    entries,
    running: running && {
      input: running.input,
      startedAt: running.startedAt,
      isEnded: false,
      events: running.events.map((event) => ({ event, at: running.startedAt })),
    },
  })
  history.replaceState(null, '', `#/${encodeURIComponent(id)}`)
  await loadAttached()
}

/** Shows none: what is said next begins a new conversation. */
export function leave(): void {
  waiting = []
  set({ shown: undefined, entries: [], running: undefined, attached: [] })
  history.replaceState(null, '', location.pathname)
}

function forget(id: string): void {
  const { conversations, shown } = get()
  const removed = conversations.find((conversation) => conversation.id === id)
  set({ conversations: conversations.filter((conversation) => conversation.id !== id) })
  const isVersion = removed?.thread !== undefined && removed.thread === shown?.thread
  if (shown?.id === id || isVersion) leave()
}

/** Replaces the list on the left, as after a search. */
export function setConversations(conversations: readonly ConversationSummary[]): void {
  set({ conversations })
}

function idInAddress(): string | undefined {
  const [, id] = /^#\/([^/]+)$/.exec(location.hash) ?? []
  return id === undefined ? undefined : decodeURIComponent(id)
}

/** The page shows by its status that the service is gone; the state is asked for again when it is back. */
function ignoreLoss(): void {}
