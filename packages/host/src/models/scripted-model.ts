import { firstSteps } from './first-steps.ts'
import { ModelError } from './model-error.ts'
import type {
  Model,
  ModelCall,
  ModelEvent,
  ModelMessage,
  ModelOptions,
  ModelTool,
} from './model.ts'
import type { ScriptedReply, ScriptedCall, ScriptedRequest, ScriptedTurn } from './script.ts'
import { untilAborted } from './until-aborted.ts'

/** How a scripted model presents itself. */
export interface ScriptedModelOptions {
  /** @defaultValue 'scripted' */
  readonly name?: string | undefined
  /** How much it can read at once, in tokens. */
  readonly contextTokens?: number | undefined
  /** @defaultValue images and audio */
  readonly accepts?: Model['accepts']
  /** Comes before its first text. An empty one says nothing, for tests that compare texts. */
  readonly announcement?: string | undefined
}

/** A model that answers from a script. */
export interface ScriptedModel extends Model {
  /** All requests so far. */
  readonly requests: readonly ScriptedRequest[]
}

/**
 * A model that answers from a script: a list of turns, or one function for all. Without a script it explains itself and
 * calls the tools you name, for first steps. It says that it is scripted before its first text.
 */
export function createScriptedModel(
  script: readonly ScriptedTurn[] | ScriptedTurn = firstSteps,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { name = 'scripted', contextTokens, accepts = { images: true, audio: true } } = options
  const requests: ScriptedRequest[] = []
  let announcement = options.announcement ?? scriptedAnnouncement
  let calls = 0

  async function* stream(
    messages: readonly ModelMessage[],
    tools: readonly ModelTool[],
    modelOptions: ModelOptions,
  ): AsyncGenerator<ModelEvent> {
    const request = { messages, tools, options: modelOptions, index: requests.length }
    requests.push(request)
    for await (const event of untilAborted(modelOptions.signal, answerTo(request))) yield event
  }

  async function* answerTo(request: ScriptedRequest): AsyncGenerator<ModelEvent> {
    const answer = await resolveTurn(turnOf(script, request.index), request)
    await resolve(answer.waitFor)
    for (const text of piecesOf(answer.reasoning)) yield { type: 'reasoning', text }
    let isFirst = true
    for (const text of piecesOf(answer.text)) {
      if (announcement !== '') yield { type: 'text', text: announcement }
      announcement = ''
      yield { type: 'text', text }
      if (isFirst) await resolve(answer.pauseUntil)
      isFirst = false
    }
    if (isFirst) await resolve(answer.pauseUntil)
    for (const call of answer.calls ?? []) {
      calls += 1
      yield { type: 'call', call: callOf(call, `call-${calls}`) }
    }
    if (answer.error !== undefined) throw answer.error
    const { usage, provider } = answer
    const finish = answer.finish ?? ((answer.calls?.length ?? 0) > 0 ? 'calls' : 'stop')
    yield {
      type: 'finish',
      reason: finish,
      ...(usage !== undefined && { usage }),
      ...(provider !== undefined && { provider }),
    }
  }

  return { name, contextTokens, accepts, requests, stream }
}

/** The text with which a scripted model begins. */
export const scriptedAnnouncement = '[Scripted: no language model wrote this.]\n'

function turnOf(script: readonly ScriptedTurn[] | ScriptedTurn, index: number): ScriptedTurn {
  if (!isList(script)) return script
  const turn = script[index]
  if (turn !== undefined) return turn
  const turns = script.length === 1 ? '1 turn' : `${script.length} turns`
  throw new ModelError(
    'refused',
    `the script has ${turns}, and this is request ${index + 1}: add a turn, or pass a function`,
  )
}

// `Array.isArray` does not narrow lists that are read only.
function isList(script: readonly ScriptedTurn[] | ScriptedTurn): script is readonly ScriptedTurn[] {
  return Array.isArray(script)
}

async function resolveTurn(turn: ScriptedTurn, request: ScriptedRequest): Promise<ScriptedReply> {
  const answer = typeof turn === 'function' ? await turn(request) : turn
  return typeof answer === 'string' ? { text: answer } : answer
}

async function resolve(wait: ScriptedReply['waitFor']): Promise<void> {
  await (typeof wait === 'function' ? wait() : wait)
}

function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  return typeof text === 'string' ? [text] : (text ?? [])
}

function callOf(call: ScriptedCall, id: string): ModelCall {
  return {
    id: call.id ?? id,
    name: call.name,
    argumentsText: call.argumentsText ?? JSON.stringify(call.arguments ?? {}),
  }
}
