/**
 * A conversation: one thread of messages with the model, in turns, one at a time. It starts turns, hands out their events, stores
 * the transcript after each, and forks. What all conversations share comes from the host; the turn itself is `turn/run-turn.ts`.
 */

import { randomUUID } from 'node:crypto'

import { anySignal, waitAtMost } from '@parley/mcp/signals'

import { failureReason } from '../connections/failure-reason.ts'
import type { DataFlow } from '../consent/consent.ts'
import { readAttachments, showAppNotes } from '../context/attachments.ts'
import { fenceNumber } from '../context/data-fence.ts'
import type { ContextOptions, ToolSelection } from '../context/tool-selection.ts'
import { createTrimming } from '../context/trimming.ts'
import { HostError } from '../host-error.ts'
import type { Model, ModelMessage } from '../models/model.ts'
import type { HostObservation, TurnOutcome } from '../observing/host-observer.ts'
import { createEventQueue } from '../turn/event-queue.ts'
import { runTurn, TimeUp } from '../turn/run-turn.ts'
import { startTurnClock } from '../turn/turn-clock.ts'
import type { TurnEnd, TurnEvent } from '../turn/turn-event.ts'
import type { TurnInput } from '../turn/turn-input.ts'
import type { HostContext, TurnContext } from '../turn/turn-parts.ts'
import { createRecorder } from './recorder.ts'
import { forkTranscript, type Transcript, type TranscriptStore } from './transcript.ts'

/** Settings of one turn that differ from the host's. */
export interface TurnChoice {
  /** Another model, for this turn. @defaultValue the host's */
  readonly model?: Model | undefined
  /** The tools that the model gets. Members that are left out are the host's. */
  readonly context?: ContextOptions | undefined
}

/** How one turn runs. */
export interface TurnOptions extends TurnChoice {
  /** Stops the turn. */
  readonly signal?: AbortSignal | undefined
}

/** One thread of messages with the model. Several share the servers of a host. */
export interface Conversation {
  /** Its id, as transcripts name it. */
  readonly id: string
  /** Labels of what it has read so far. */
  readonly flow: DataFlow
  /** The messages that the model gets, oldest first. */
  readonly messages: readonly ModelMessage[]
  /** Asks, and makes the calls that are allowed. Leaving the loop, or the signal, stops it. One turn at a time. */
  turn(input: TurnInput, options?: TurnOptions): AsyncIterable<TurnEvent>
  /** All of it, to be kept. */
  transcript(): Transcript
  /** A new one that begins with the first turns of this one. @defaultValue all of them */
  fork(options?: { readonly turns?: number | undefined }): Conversation
}

/** The parts of the host that conversations need. */
export interface ConversationContext extends HostContext {
  readonly store: TranscriptStore | undefined
  selectionFor(choice: TurnChoice): ToolSelection
  /** Events of servers while a turn runs. */
  follow(emit: (event: TurnEvent) => void): () => void
  /** Aborts when the host closes. */
  readonly closed: AbortSignal
  /** Told the clock of a running turn, so that questions of servers stop it. */
  onClock(clock: TurnContext['clock']): () => void
}

/** Begins a conversation, or continues a stored one. */
export function createConversation(
  parts: ConversationContext,
  from: Transcript = { version: 1, id: randomUUID(), entries: [] },
): Conversation {
  const recorder = createRecorder(from)
  const fence = fenceNumber()
  const trimming = createTrimming()
  let isBusy = false

  function turn(input: TurnInput, options: TurnOptions = {}) {
    if (isBusy)
      throw new HostError(
        'turn_running',
        'a turn is running in this conversation: wait for its end, or fork it',
      )
    isBusy = true
    const end = new AbortController()
    const queue = createEventQueue<TurnEvent>(() =>
      end.abort(new Error('the turn is no longer read')),
    )
    const { turnMs } = parts.limits
    const clock = startTurnClock(turnMs, () => end.abort(new TimeUp(turnMs)))
    const emit = (event: TurnEvent) => {
      recorder.addEvent(event)
      queue.put(event)
    }
    const { model = parts.model, context } = options
    const isUsual = model === parts.model && context === undefined
    const turnContext: TurnContext = {
      ...parts,
      model,
      selection: isUsual ? parts.selection : parts.selectionFor({ model, context }),
      recorder,
      trimming,
      clock,
      fence,
      signal: anySignal(end.signal, parts.closed, options.signal),
      emit,
      capacity: queue.capacity,
    }
    recorder.beginTurn()
    const observed = parts.observer?.beginTurn?.({
      conversation: recorder.id,
      model: model.name,
    })
    const playing = (): Promise<void> => play(input, turnContext, queue.put, observed)
    void (observed ? observed.run(playing) : playing()).finally(() => {
      isBusy = false
      queue.end()
    })
    return queue
  }

  async function play(
    input: TurnInput,
    turnContext: TurnContext,
    put: (end: TurnEvent) => void,
    observed: HostObservation<TurnOutcome> | undefined,
  ): Promise<void> {
    const { clock, emit } = turnContext
    const unfollow = parts.follow(emit)
    const offClock = parts.onClock(clock)
    let end: TurnEnd
    try {
      const received = typeof input === 'string' ? { content: textContent(input) } : input
      for (const message of received.messages ?? []) recorder.addMessage(message)
      const attached = await readAttachments(received.attachments ?? [], turnContext)
      const notes = showAppNotes(received.apps ?? [], turnContext)
      recorder.addMessage({ role: 'user', content: [...attached, ...notes, ...received.content] })
      end = await runTurn(turnContext)
    } catch (error) {
      end = { type: 'end', reason: 'model-error', text: '', message: failureReason(error) }
    }
    clock[Symbol.dispose]()
    offClock()
    unfollow()
    recorder.addEvent(end)
    await save(emit)
    observed?.end({ reason: end.reason, message: end.message }) // not what was said
    put(end)
  }

  /** Before the turn counts as over; a store that hangs does not keep it. */
  async function save(emit: (event: TurnEvent) => void): Promise<void> {
    if (parts.store === undefined) return
    const saved = parts.store.append(recorder.id, recorder.takeNew()).catch((error: unknown) => {
      emit({
        type: 'notice',
        code: 'server',
        message: `the turn was not stored: ${failureReason(error)}`,
      })
    })
    await waitAtMost(5_000, saved, { signal: parts.closed })
  }

  return {
    id: recorder.id,
    get flow() {
      return recorder.flow
    },
    get messages() {
      return recorder.messages()
    },
    turn,
    transcript: recorder.transcript,
    fork({ turns = recorder.turn } = {}) {
      return createConversation(parts, forkTranscript(recorder.transcript(), turns, randomUUID()))
    },
  }
}

function textContent(text: string) {
  return [{ type: 'text', text }] as const
}
