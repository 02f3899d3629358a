import type { DataFlow } from '../consent/consent.ts'
import type { ModelMessage } from '../models/model.ts'
import type { TurnEvent } from '../turn/turn-event.ts'

/** A conversation as it can be kept: plain JSON. */
export interface Transcript {
  /** The version of this format. */
  readonly version: 1
  /** The id of the conversation. */
  readonly id: string
  /** The messages and events, in order. */
  readonly entries: readonly TranscriptEntry[]
}

/** One thing that happened. */
export type TranscriptEntry =
  /** A message to the model, or from it. */
  | (At & {
      /** A message of the conversation. */
      readonly kind: 'message'
      /** The message. */
      readonly message: ModelMessage
    })
  /** An event that was shown: all but pieces of text, which are in the messages. */
  | (At & {
      /** Something that happened in a turn. */
      readonly kind: 'event'
      /** The event. */
      readonly event: TurnEvent
    })
  /** Labels of what the conversation has read from here on. */
  | (At & {
      /** The labels of what the conversation has read have changed. */
      readonly kind: 'flow'
      /** The labels now. */
      readonly flow: DataFlow
    })

interface At {
  /** Counted from 1. */
  readonly turn: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The first turns of a transcript, as a new one. */
export function forkTranscript(transcript: Transcript, turns: number, id: string): Transcript {
  return { version: 1, id, entries: transcript.entries.filter(({ turn }) => turn <= turns) }
}

/** The events of a kept conversation once more, in order; each answer's text comes in one piece. Nothing is called. */
export function* replayTranscript({ entries }: Transcript): Generator<TurnEvent> {
  for (const entry of entries) {
    if (entry.kind === 'event') yield entry.event
    else if (entry.kind === 'message' && entry.message.role === 'assistant') {
      const { text } = entry.message
      if (text !== '') yield { type: 'text', text }
    }
  }
}

/** Stores conversations. An error of a store does not end a turn; it is reported. */
export interface TranscriptStore {
  /** Called after each turn with what is new. */
  append(id: string, entries: readonly TranscriptEntry[]): Promise<void>
}

/** Whether a value that was read from somewhere is a transcript of this version. */
export function isTranscript(value: unknown): value is Transcript {
  if (typeof value !== 'object' || value === null) return false
  if (!('version' in value && 'id' in value && 'entries' in value)) return false
  return value.version === 1 && typeof value.id === 'string' && Array.isArray(value.entries)
}
