/** What a thread shows, made of a stored transcript and of the turn that runs. */

import type { TranscriptEntry, TurnEvent, TurnInput } from '@parley/host'
import type { ModelContent } from '@parley/host/models'
import type { ContentBlock, JsonObject } from '@parley/mcp'

import type { TimedEvent } from './timed-event.ts'

/** One thing in a thread. */
export type ThreadItem = { readonly key: string; readonly turn: number } & (
  | {
      readonly kind: 'user'
      readonly content: readonly ModelContent[]
      readonly attachments: readonly { readonly server: string; readonly uri: string }[]
    }
  | { readonly kind: 'text' | 'reasoning'; readonly text: string; readonly isStreaming: boolean }
  | { readonly kind: 'call'; readonly call: CallView }
  | {
      readonly kind: 'notice'
      readonly code: string
      readonly message: string
      readonly server?: string | undefined
    }
  | { readonly kind: 'end'; readonly reason: string; readonly message?: string | undefined }
)

/** A call with all that became of it. Times are milliseconds since the epoch. */
export interface CallView {
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject
  readonly calledAt: number
  readonly decision?: Extract<TurnEvent, { type: 'decision' }> | undefined
  readonly decidedAt?: number | undefined
  readonly progress?: Extract<TurnEvent, { type: 'progress' }> | undefined
  readonly result?:
    | {
        readonly isError: boolean
        readonly content: readonly ContentBlock[]
        readonly structuredContent?: unknown
        readonly handle?: string | undefined
        readonly wasCalled: boolean
      }
    | undefined
  readonly endedAt?: number | undefined
}

/** The turn that runs now. */
export interface RunningThread {
  readonly input: TurnInput
  readonly startedAt: number
  readonly events: readonly TimedEvent[]
  readonly isEnded: boolean
}

/** Reads a whole thread, in order. */
export function readThread(
  entries: readonly TranscriptEntry[],
  running?: RunningThread,
): readonly ThreadItem[] {
  const items: ThreadItem[] = []
  for (const entry of entries) {
    const { turn, at } = entry
    if (entry.kind === 'event') addEvent(items, turn, entry.event, at)
    else if (entry.kind === 'message') {
      const { message } = entry
      if (message.role === 'user') {
        const remarks = takeRemarks(items, turn)
        push(items, turn, { kind: 'user', content: message.content, attachments: [] })
        for (const remark of remarks) push(items, turn, remark)
      } else if (message.role === 'assistant' && message.text !== '') {
        push(items, turn, { kind: 'text', text: message.text, isStreaming: false })
      }
    }
  }
  if (running !== undefined) addRunning(items, (entries.at(-1)?.turn ?? 0) + 1, running)
  return items
}

/** What was remarked before anything was said in this turn, such as a server that did not come: it belongs below. */
function takeRemarks(items: ThreadItem[], turn: number): readonly ThreadItem[] {
  const from = items.findIndex((item) => item.turn === turn)
  const isRemarksOnly = from !== -1 && items.slice(from).every(({ kind }) => kind === 'notice')
  return isRemarksOnly ? items.splice(from) : []
}

function addRunning(items: ThreadItem[], turn: number, running: RunningThread): void {
  const { input, events, isEnded } = running
  const received =
    typeof input === 'string' ? { content: [{ type: 'text', text: input } as const] } : input
  for (const message of received.messages ?? []) {
    if (message.role === 'user') {
      push(items, turn, { kind: 'user', content: message.content, attachments: [] })
    } else if (message.role === 'assistant') {
      push(items, turn, { kind: 'text', text: message.text, isStreaming: false })
    }
  }
  push(items, turn, {
    kind: 'user',
    content: received.content,
    attachments: received.attachments ?? [],
  })
  for (const [at, { event, at: time }] of events.entries()) {
    if (event.type === 'text' || event.type === 'reasoning') {
      const isStreaming = !isEnded && at === events.length - 1
      push(items, turn, { kind: event.type, text: event.text, isStreaming })
    } else addEvent(items, turn, event, time)
  }
}

function addEvent(items: ThreadItem[], turn: number, event: TurnEvent, at: number): void {
  switch (event.type) {
    case 'call': {
      const { id, server, tool } = event
      const call = { id, server, tool, arguments: event.arguments, calledAt: at }
      return push(items, turn, { kind: 'call', call })
    }
    case 'decision':
      return update(items, turn, event.id, { decision: event, decidedAt: at })
    case 'progress':
      return update(items, turn, event.id, { progress: event })
    case 'result': {
      if (items.some((item) => isCall(item, turn, event.id))) {
        return update(items, turn, event.id, { result: event, endedAt: at })
      }
      // A tool that nobody has was asked for.
      const { id, server = '', tool } = event
      const call = { id, server, tool, arguments: {}, calledAt: at, result: event, endedAt: at }
      return push(items, turn, { kind: 'call', call })
    }
    case 'notice': {
      const { code, message, server } = event
      return push(items, turn, { kind: 'notice', code, message, server })
    }
    case 'program':
    case 'log':
    case 'program-end':
      return // the page shows the calls of a program, not yet the program
    case 'server':
      return // told once per conversation, below the thread and in the rail
    case 'end':
      if (event.reason !== 'answered') {
        push(items, turn, { kind: 'end', reason: event.reason, message: event.message })
      }
      return
    case 'text':
    case 'reasoning':
      return push(items, turn, { kind: event.type, text: event.text, isStreaming: false })
  }
}

type Fresh = ThreadItem extends infer Item
  ? Item extends ThreadItem
    ? Omit<Item, 'key' | 'turn'>
    : never
  : never

function push(items: ThreadItem[], turn: number, item: Fresh): void {
  // The place of a thing never changes: a thread only grows.
  items.push({ ...item, key: `${turn}-${items.length}`, turn })
}

function isCall(item: ThreadItem, turn: number, id: string): boolean {
  return item.kind === 'call' && item.turn === turn && item.call.id === id
}

function update(items: ThreadItem[], turn: number, id: string, more: Partial<CallView>): void {
  const at = items.findLastIndex((item) => isCall(item, turn, id))
  const item = items[at]
  if (item?.kind === 'call') items[at] = { ...item, call: { ...item.call, ...more } }
}

/** Whether two readings of a thread have the same thing in this place. */
export function isSameItem(a: ThreadItem, b: ThreadItem): boolean {
  if (a.kind === 'call' && b.kind === 'call') return isAlike(a.call, b.call)
  if (a.kind === 'user' && b.kind === 'user') {
    return (
      a.content.length === b.content.length &&
      a.content.every((part, at) => isAlike(part, b.content[at] ?? {}))
    )
  }
  return isAlike(a, b)
}

function isAlike(a: object, b: object): boolean {
  const members = Object.entries(a)
  const others = new Map(Object.entries(b))
  return (
    members.length === others.size &&
    members.every(([name, value]) => Object.is(value, others.get(name)))
  )
}
