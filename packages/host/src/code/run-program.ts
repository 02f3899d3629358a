/**
 * Runs one program of the model in the sandbox, and makes its calls the way all calls of a turn are made (`turn/make-calls.ts`): each
 * is proposed with `by: 'program'`, decided, sent at most once, and written to the audit. Used by `turn/run-calls.ts`.
 *
 * Guarantees: running a program grants nothing; calls that are open together are decided together, and while a person decides about
 * some, others wait for the next question; what a result brings into the conversation counts for the next call of the program, though
 * the model has not read it; stopping the turn ends the program and cancels its calls. Never rejects.
 */

import { randomUUID } from 'node:crypto'

import type {
  ProgramCall,
  ProgramCallContext,
  ProgramOutcome,
  RunProgramOptions,
} from '@parley/code'
import type { JsonObject } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'
import { anySignal, sleep } from '@parley/mcp/signals'

import { argumentIssues } from '../consent/ask.ts'
import type { ConsentDecision } from '../consent/consent.ts'
import { showResult } from '../context/result-content.ts'
import type { ModelCall, ModelContent, ModelMessage } from '../models/model.ts'
import type { RegisteredTool } from '../tools/tool-registry.ts'
import {
  decideServerCalls,
  makeServerCall,
  namesOf,
  type DecidedCall,
  type ServerCall,
} from '../turn/make-calls.ts'
import type { ProgramEndReason, TurnEvent } from '../turn/turn-event.ts'
import type { TurnContext } from '../turn/turn-parts.ts'

/** After so many calls of a tool that may write, a person confirms the next ones. */
const confirmAfter = 20
/** Of pictures and sounds that a program has read, in base64. */
const maxMediaCharacters = 32 * 2 ** 20

/** A program that the model asks for. */
export interface PlannedProgram {
  readonly call: ModelCall
  readonly source: string
}

/** Runs it to its end, and says what the model is told. `onDecision` learns of each decision about one of its calls. */
export async function runProgram(
  { call, source }: PlannedProgram,
  parts: TurnContext,
  onDecision: (decision: ConsentDecision) => void,
): Promise<ModelMessage> {
  const { consent, emit, stored, limits, model } = parts
  const id = randomUUID()
  emit({ type: 'program', id, call: call.id, source })
  let outcome: ProgramOutcome
  const media = createMediaStore()
  const shown: string[] = []
  const tally = new Map<string, ToolTally>()
  const programEnd = new AbortController()
  const pending = new Set<Promise<unknown>>()
  const observed = parts.observer?.beginProgram?.({ id })
  try {
    await consent.recordProgram?.({ type: 'program', id, source })
    const sandbox = await parts.code.sandbox()
    const signal = anySignal(parts.signal, programEnd.signal)
    const makeInnerCall = await createCallMaker({
      id,
      call,
      parts: { ...parts, signal },
      media,
      tally,
      onDecision,
    })
    const options: RunProgramOptions = {
      tools: parts.registry.enabled().map(({ name }) => name),
      signal: parts.signal,
      caller: parts.recorder.id,
      call(wanted, context) {
        const made = makeInnerCall(wanted, context)
        pending.add(made)
        return made
      },
      onLog: (text) => emit({ type: 'log', program: id, text }),
      onShow: (ref) => void shown.push(ref),
    }
    const run = () => sandbox.run(source, options)
    outcome = await (observed === undefined ? run() : observed.run(run))
  } catch (error) {
    const message = `the program was not run: ${errorMessage(error)}`
    outcome = { ok: false, kind: 'failed', message, logs: [], cpuMs: 0, calls: 0, notAwaited: 0 }
  }
  // Questions about calls that the program did not await are taken back, and every call has its end before the program has.
  programEnd.abort(new Error('the program has ended'))
  await Promise.allSettled(pending)
  const ended = outcome.ok ? 'returned' : outcome.kind
  await record(id, ended, outcome, parts)
  observed?.end({ outcome: ended, calls: outcome.calls, cpuMs: outcome.cpuMs })

  const text = describeOutcome(outcome, tally)
  const pictures = shown.flatMap((ref) => media.block(ref) ?? [])
  const result = { content: [{ type: 'text', text } as const, ...pictures], isError: !outcome.ok }
  const { content, handle } = showResult(result, {
    label: `${outcome.ok ? 'result' : 'error'} of the program`,
    accepts: model.accepts,
    stored,
    maxCharacters: limits.resultCharacters,
  })
  const { calls, cpuMs } = outcome
  const known = handle === undefined ? {} : { handle }
  emit({ type: 'program-end', id, call: call.id, outcome: ended, text, calls, cpuMs, ...known })
  return { role: 'tool', callId: call.id, name: call.name, content, isError: !outcome.ok }
}

async function record(
  id: string,
  outcome: ProgramEndReason,
  { calls, cpuMs }: ProgramOutcome,
  { consent, emit }: TurnContext,
): Promise<void> {
  try {
    await consent.recordProgram?.({ type: 'program-end', id, outcome, calls, cpuMs })
  } catch (error) {
    const message = `the end of a program was not written to the audit: ${errorMessage(error)}`
    emit({ type: 'notice', code: 'warning', message })
  }
}

/** What a program did with one tool. */
interface ToolTally {
  proposed: number
  made: number
  failed: number
  denials: number
  isConfirmed: boolean
}

interface MakerOptions {
  readonly id: string
  readonly call: ModelCall
  readonly parts: TurnContext
  readonly media: MediaStore
  readonly tally: Map<string, ToolTally>
  readonly onDecision: (decision: ConsentDecision) => void
}

/** Makes the calls of one program. */
async function createCallMaker({ id, call, parts, media, tally, onDecision }: MakerOptions) {
  const { ProgramCallError, unwrapResult, shapeOf } = await parts.code.load()
  const emit = (event: TurnEvent) => parts.emit(ofProgram(event, id))
  const decide = createDecisions({ ...parts, emit })

  return async (wanted: ProgramCall, { paused, signal }: ProgramCallContext): Promise<unknown> => {
    const { index, name, line } = wanted
    const registered = parts.registry.find(name)
    if (registered === undefined) {
      throw new ProgramCallError('failed', `there is no tool ${name} any more`)
    }
    const names = namesOf(registered)
    const args = withMedia(wanted.arguments, media)
    const [issue] = argumentIssues(registered.tool, args)
    if (issue !== undefined) {
      const message = `${name} was not called: its arguments do not fit: ${issue}`
      throw new ProgramCallError('failed', message, names)
    }
    const counts = tallyOf(tally, name)
    counts.proposed += 1
    const isConfirmable = mayWrite(registered) && !counts.isConfirmed
    const confirm = isConfirmable && counts.proposed > confirmAfter
    const serverCall: ServerCall = {
      id: `${call.id}.${index}`,
      by: 'program',
      program: {
        id,
        index,
        denials: counts.denials,
        ...(line !== undefined && { line }),
        ...(confirm && { confirmAfter: counts.proposed - 1 }),
      },
      registered,
      arguments: args,
    }
    const decided = await paused(() => decide(serverCall))
    const { decision } = decided
    onDecision(decision)
    if (decision.decision === 'deny') {
      counts.denials += 1
      emit(
        resultEvent(decided, {
          content: [{ type: 'text', text: decision.message }],
          isError: true,
        }),
      )
      throw new ProgramCallError('denied', decision.message, { ...names, rule: decision.rule })
    }
    if (confirm) counts.isConfirmed = true
    await untilFree(parts.code.rate, signal)
    const { result, wasCalled } = await makeServerCall(decided, {
      ...parts,
      emit,
      signal,
      rate: { take: () => 0 },
    })
    if (wasCalled) counts.made += 1
    if (result.isError === true) counts.failed += 1
    emit({ ...resultEvent(decided, result), wasCalled })
    const value = unwrapResult(result, { ...names, storeMedia: media.store })
    if (registered.tool.outputSchema === undefined) parts.code.noteShape(name, shapeOf(value))
    return value
  }
}

function ofProgram(event: TurnEvent, program: string): TurnEvent {
  const isOfCall =
    event.type === 'call' ||
    event.type === 'decision' ||
    event.type === 'progress' ||
    event.type === 'result'
  return isOfCall ? { ...event, program } : event
}

function resultEvent(
  { call }: DecidedCall,
  { content, structuredContent, isError = false }: ReturnedResult,
): Extract<TurnEvent, { type: 'result' }> {
  const structured = structuredContent === undefined ? {} : { structuredContent }
  const names = namesOf(call.registered)
  return {
    type: 'result',
    id: call.id,
    ...names,
    isError,
    content,
    ...structured,
    wasCalled: false,
  }
}

type ReturnedResult = Parameters<typeof showResult>[0]

/**
 * Decides about calls of one moment together. While a person is asked, further calls wait: they come in the next question instead of
 * beside it.
 */
function createDecisions(context: Parameters<typeof decideServerCalls>[1]) {
  interface Waiting {
    readonly call: ServerCall
    settle(decided: DecidedCall): void
  }
  let waiting: Waiting[] = []
  let isBusy = false

  async function decideAll(): Promise<void> {
    isBusy = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const calls = batch.map(({ call }) => call)
      const decided = await decideServerCalls(calls, context) // never rejects
      for (const [at, one] of decided.entries()) batch[at]?.settle(one)
    }
    isBusy = false
  }

  return (call: ServerCall) =>
    new Promise<DecidedCall>((settle) => {
      waiting.push({ call, settle })
      if (waiting.length === 1 && !isBusy) {
        isBusy = true
        setImmediate(() => void decideAll())
      }
    })
}

/** A program waits where a model would be refused. */
async function untilFree(rate: TurnContext['rate'], signal: AbortSignal): Promise<void> {
  for (let waitMs = rate.take(); waitMs > 0; waitMs = rate.take()) await sleep(waitMs, { signal })
}

function tallyOf(tally: Map<string, ToolTally>, name: string): ToolTally {
  const known = tally.get(name) ?? {
    proposed: 0,
    made: 0,
    failed: 0,
    denials: 0,
    isConfirmed: false,
  }
  tally.set(name, known)
  return known
}

/** What a server that is not trusted says of its tools makes nothing easier. */
function mayWrite({ connection, tool }: RegisteredTool): boolean {
  return connection.server.trusted !== true || tool.annotations?.readOnlyHint !== true
}

/** Pictures and sounds that a program has names for. */
interface MediaStore {
  store(mimeType: string, data: string): string
  data(ref: string): string | undefined
  block(ref: string): Extract<ModelContent, { type: 'image' | 'audio' }> | undefined
}

function createMediaStore(): MediaStore {
  const stored = new Map<string, { readonly mimeType: string; readonly data: string }>()
  let characters = 0
  return {
    store(mimeType, data) {
      const ref = `media-${stored.size + 1}`
      characters += data.length
      const isKept = characters <= maxMediaCharacters
      stored.set(ref, { mimeType, data: isKept ? data : '' })
      return ref
    },
    data: (ref) => stored.get(ref)?.data,
    block(ref) {
      const { mimeType = '', data = '' } = stored.get(ref) ?? {}
      if (data === '') return undefined
      if (mimeType.startsWith('image/')) return { type: 'image', mimeType, data }
      return mimeType.startsWith('audio/') ? { type: 'audio', mimeType, data } : undefined
    },
  }
}

/** A reference that is a whole argument stands for the bytes. */
function withMedia(args: JsonObject, media: MediaStore): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const data = typeof value === 'string' ? media.data(value) : undefined
      return [name, data ?? value]
    }),
  )
}

function describeOutcome(outcome: ProgramOutcome, tally: ReadonlyMap<string, ToolTally>): string {
  const { logs, notAwaited } = outcome
  const said = outcome.ok
    ? outcome.value === undefined
      ? 'The program returned nothing. Use return for what you need.'
      : JSON.stringify(outcome.value)
    : outcome.message
  const made = [...tally].filter(([, { made: count }]) => count > 0)
  const total = made.reduce((sum, [, { made: count }]) => sum + count, 0)
  const list = made.map(
    ([name, { made: count, failed }]) =>
      `${name} × ${count}${failed > 0 ? ` (${failed} failed)` : ''}`,
  )
  return [
    said,
    ...(logs.length > 0 ? [`console:\n${logs.join('\n')}`] : []),
    ...(!outcome.ok && total > 0
      ? [
          `${total} ${total === 1 ? 'call was' : 'calls were'} made and ${total === 1 ? 'is' : 'are'} not undone: ${list.join(', ')}`,
        ]
      : []),
    ...(notAwaited > 0
      ? [
          `${notAwaited} ${notAwaited === 1 ? 'call was' : 'calls were'} not awaited, and cancelled: write await before each call.`,
        ]
      : []),
  ].join('\n\n')
}
