import type { DataFlow } from '../consent/consent.ts'
import type { ModelMessage } from '../models/model.ts'
import type { TurnEvent } from '../turn/turn-event.ts'
import type { Transcript, TranscriptEntry } from './transcript.ts'

/** Records the transcript of a conversation. */
export interface TranscriptRecorder {
  readonly id: string
  readonly flow: DataFlow
  readonly turn: number
  /** In order, for the model. */
  messages(): readonly ModelMessage[]
  /** The same, by turns. */
  turns(): readonly (readonly ModelMessage[])[]
  beginTurn(): void
  addMessage(message: ModelMessage): void
  addEvent(event: TurnEvent): void
  addFlow(more: Partial<DataFlow>): void
  transcript(): Transcript
  /** Returns the entries since the last call. */
  takeNew(): readonly TranscriptEntry[]
}

export function createRecorder(from: Transcript): TranscriptRecorder {
  const entries: TranscriptEntry[] = [...from.entries]
  let turn = entries.at(-1)?.turn ?? 0
  let flow: DataFlow = { untrusted: false, private: false }
  for (const entry of entries) if (entry.kind === 'flow') flow = entry.flow
  let recorded = entries.length

  return {
    id: from.id,
    get flow() {
      return flow
    },
    get turn() {
      return turn
    },
    messages: () => entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : [])),
    turns() {
      const byTurn = new Map<number, ModelMessage[]>()
      for (const entry of entries) {
        if (entry.kind !== 'message') continue
        const messages = byTurn.get(entry.turn)
        if (messages === undefined) byTurn.set(entry.turn, [entry.message])
        else messages.push(entry.message)
      }
      return [...byTurn.values()]
    },
    beginTurn() {
      turn += 1
    },
    addMessage(message) {
      entries.push({ kind: 'message', turn, at: Date.now(), message })
    },
    addEvent(event) {
      if (event.type === 'text' || event.type === 'reasoning' || event.type === 'progress') return
      entries.push({ kind: 'event', turn, at: Date.now(), event: bounded(event) })
    },
    addFlow(more) {
      const next = { ...flow, ...more }
      if (next.untrusted === flow.untrusted && next.private === flow.private) return
      flow = next
      entries.push({ kind: 'flow', turn, at: Date.now(), flow })
    },
    transcript: () => ({ version: 1, id: from.id, entries: [...entries] }),
    takeNew() {
      const fresh = entries.slice(recorded)
      recorded = entries.length
      return fresh
    },
  }
}

/** Results are shown whole while they come; what is kept of one is bounded. */
const maxCharacters = 262_144

/** Of what a program was answered people rarely read more; the model was given none of it. */
const maxInnerCharacters = 2_048

function bounded(event: TurnEvent): TurnEvent {
  if (event.type !== 'result') return event
  const longest = event.program === undefined ? maxCharacters : maxInnerCharacters
  const { content, structuredContent } = event
  const whole = JSON.stringify({ content, structuredContent })
  if (whole.length <= longest) return event
  const { structuredContent: _, ...rest } = event
  const head = content
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join('\n')
  const text = `${head.slice(0, longest)}… (cut from ${whole.length} characters)`
  return { ...rest, content: [{ type: 'text', text }] }
}
