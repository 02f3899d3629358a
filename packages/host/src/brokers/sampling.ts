/**
 * Answers servers that ask the host's model (`sampling/createMessage`). Each request is a call to a model of its own: nothing of
 * the conversation goes along, no tools, and the answer is bounded.
 *
 * A person reviews the request and the answer, unless the settings or the rules allow the server; requests are limited in number;
 * every one is recorded in the audit. Which model answers follows the server's preferences (`choose-model.ts`). Questions to the
 * person are `elicitation.ts`.
 */

import type { CreateMessageRequestParams, CreateMessageResult } from '@parley/mcp'
import type { InputContext } from '@parley/mcp/client'

import { chooseModel, type ModelRatings } from '../models/choose-model.ts'
import type { Model, ModelContent, ModelEvent, ModelMessage } from '../models/model.ts'
import type { HostObserver } from '../observing/host-observer.ts'
import { askModel } from '../observing/observe-model.ts'
import { ServerRequestGate, type RecordExchange } from './server-request-gate.ts'

/** How requests of servers to the model are handled. */
export interface SamplingSettings {
  /** To choose from, the preferred one first. @defaultValue the host's model */
  readonly models?: readonly SamplingModel[] | undefined
  /**
   * Models that stand for others, where no name fits a hint: `{ claude: 'gpt-5', haiku: 'mini' }` answers a hint that has
   * `claude` in it by a model with `gpt-5` in its name.
   */
  readonly equivalents?: { readonly [hint: string]: string } | undefined
  /** For each server: the user reviews requests (`ask`), they are answered without review (`allow`), or none is answered (`off`). @defaultValue 'ask' */
  readonly policy?: ((server: string) => 'ask' | 'allow' | 'off') | undefined
  /** Shows a request to the user before anything is sent. @defaultValue requests are denied */
  readonly review?:
    | ((request: SamplingReview, signal: AbortSignal) => Promise<SamplingDecision>)
    | undefined
  /** Shows the answer to a person before the server gets it. @defaultValue it is released */
  readonly reviewAnswer?:
    | ((answer: SamplingAnswer, signal: AbortSignal) => Promise<AnswerDecision>)
    | undefined
  /** Requests of one server within a minute. @defaultValue 10 */
  readonly perMinute?: number | undefined
  /** The longest answer, whatever a server asks for. @defaultValue 4_096 */
  readonly maxTokens?: number | undefined
}

/** A model that servers may be answered by. */
export type SamplingModel = Model & {
  /** How good, fast and cheap it is, to compare with what servers prefer. */
  readonly ratings?: ModelRatings | undefined
}

/** A server's request to the model, before anything is sent. */
export interface SamplingReview {
  /** The server that asks. */
  readonly server: string
  /** The request of the server: messages, system prompt, limits, and which context it would like. No context is added. */
  readonly request: CreateMessageRequestParams
  /** The model that would answer. */
  readonly model: string
  /** Why it was chosen, in words. */
  readonly why: string
  /** Others that could. */
  readonly models: readonly string[]
  /** The most tokens that the model may write. */
  readonly maxTokens: number
}

/** The user's decision about a request. Members that are left out stay unchanged. */
export type SamplingDecision =
  | {
      /** The request is sent to the model. */
      readonly decision: 'allow'
      /** The messages, if the person changed them. */
      readonly messages?: CreateMessageRequestParams['messages'] | undefined
      /** The system prompt, if the person changed it. */
      readonly systemPrompt?: string | undefined
      /** The model, if the person chose another one. */
      readonly model?: string | undefined
      /** The limit of the answer, if the person changed it. */
      readonly maxTokens?: number | undefined
      /** With `session`, neither further requests of this server nor their answers are reviewed. @defaultValue 'once' */
      readonly remember?: 'once' | 'session' | undefined
    }
  /** With `session`, further requests of this server are refused unseen. @defaultValue 'once' */
  | {
      readonly decision: 'deny'
      /** Whether further requests of this server are refused as well. @defaultValue `'once'` */
      readonly remember?: 'once' | 'session' | undefined
    }

/** The model's answer, before the server gets it. */
export interface SamplingAnswer {
  /** The server that asked. */
  readonly server: string
  /** The model that answered. */
  readonly model: string
  /** The text of the answer. */
  readonly text: string
}

/** The user's decision about an answer. */
export type AnswerDecision =
  | {
      /** The server gets the answer. */
      readonly decision: 'release'
      /** The text of the answer, if the person changed it. */
      readonly text?: string | undefined
    }
  | {
      /** The server does not get the answer. */
      readonly decision: 'withhold'
    }

/** Answers servers by a model, as a call of its own: nothing of the conversation goes along. Throws to refuse. */
export type AnswerSampling = (
  server: string,
  request: CreateMessageRequestParams,
  about: Pick<InputContext, 'signal'>,
) => Promise<CreateMessageResult>

/** Reports a request, for the events of a turn. */
export type TellSampling = (server: string, message: string) => void

export function createSampling(
  model: Model,
  settings: SamplingSettings,
  notify: TellSampling,
  record?: RecordExchange,
  observer?: HostObserver,
): AnswerSampling {
  const { policy = () => 'ask', review, reviewAnswer, perMinute = 10 } = settings
  const { models = [model], maxTokens: most = 4_096 } = settings
  const gate = new ServerRequestGate('sampling', policy, perMinute, record)

  async function refused(server: string, why: string): Promise<Error> {
    const message = `${server} asked the model something, and ${why}`
    notify(server, message)
    await gate.record(server, 'deny', message)
    return new Error(message)
  }

  return async (server, request, { signal }) => {
    const rule = gate.ruleFor(server)
    if (rule === 'off') throw await refused(server, 'requests of this server are switched off')
    gate.count(server, 'answers of the model')
    const preferences = withEquivalents(request.modelPreferences, settings.equivalents)
    const chosen = chooseModel(models, preferences)
    if (chosen === undefined) throw await refused(server, 'there is no model for it')
    const maxTokens = Math.min(request.maxTokens, most)
    const requested: SamplingReview = {
      server,
      request,
      model: chosen.name,
      why: whyChosen(chosen.name, preferences),
      models: models.map(({ name }) => name),
      maxTokens,
    }
    const decision = await decide(requested, rule === 'allow', review, signal)
    if (decision.remember === 'session') {
      gate.decide(server, decision.decision === 'allow' ? 'allow' : 'off')
    }
    if (decision.decision === 'deny') throw await refused(server, 'it was refused')

    const { messages = request.messages, systemPrompt = request.systemPrompt } = decision
    const answering = models.find(({ name }) => name === decision.model) ?? chosen
    const limit = Math.min(decision.maxTokens ?? maxTokens, most)
    const about = `${answering.name} answers a request of ${server}, ${limit} tokens at most`
    await gate.record(server, 'allow', about)
    notify(server, about)
    const answer = await ask(
      answering,
      { ...request, messages, maxTokens: limit },
      systemPrompt,
      signal,
      observer,
    )
    const reply = { server, model: answering.name, text: answer.text }
    const isReviewed =
      gate.ruleFor(server) !== 'allow' && rule !== 'allow' && reviewAnswer !== undefined
    const released = isReviewed
      ? await reviewAnswer(reply, signal)
      : { decision: 'release' as const, text: undefined }
    if (released.decision === 'withhold') throw await refused(server, 'the answer was withheld')
    return {
      role: 'assistant',
      model: answering.name,
      content: { type: 'text', text: released.text ?? answer.text },
      stopReason: answer.stopReason,
    }
  }
}

async function decide(
  request: SamplingReview,
  isAllowed: boolean,
  review: SamplingSettings['review'],
  signal: AbortSignal,
): Promise<SamplingDecision> {
  if (isAllowed) return { decision: 'allow' }
  return review === undefined ? { decision: 'deny' } : review(request, signal)
}

type Preferences = NonNullable<CreateMessageRequestParams['modelPreferences']>

/** Returns the preferences with the equivalents of each hint after all hints. */
function withEquivalents(
  preferences: Preferences = {},
  equivalents: { readonly [hint: string]: string } = {},
): Preferences {
  const { hints = [] } = preferences
  const others = hints.flatMap(({ name = '' }) =>
    Object.entries(equivalents).flatMap(([part, other]) =>
      name.toLowerCase().includes(part.toLowerCase()) ? [{ name: other }] : [],
    ),
  )
  return { ...preferences, hints: [...hints, ...others] }
}

function whyChosen(name: string, preferences: Preferences): string {
  const { hints = [], costPriority, speedPriority, intelligencePriority } = preferences
  const hint = hints.find(
    (candidate) => candidate.name && name.toLowerCase().includes(candidate.name.toLowerCase()),
  )
  if (hint !== undefined)
    return `its name has ${JSON.stringify(hint.name)}, which the server would like`
  const named = Object.entries({
    cost: costPriority,
    speed: speedPriority,
    intelligence: intelligencePriority,
  })
  const wanted = named.filter(([, value]) => value !== undefined && value > 0).map(([what]) => what)
  return wanted.length === 0
    ? 'it is the first of your models'
    : `it fits best what the server prefers: ${wanted.join(', ')}`
}

const stopReasons = {
  stop: 'endTurn',
  length: 'maxTokens',
  calls: 'toolUse',
  filter: 'filter',
  other: 'other',
}

async function ask(
  model: Model,
  { messages, maxTokens, temperature, stopSequences }: CreateMessageRequestParams,
  systemPrompt: string | undefined,
  signal: AbortSignal,
  observer: HostObserver | undefined,
): Promise<{ readonly text: string; readonly stopReason: string }> {
  const system: readonly ModelMessage[] =
    systemPrompt === undefined ? [] : [{ role: 'system', text: systemPrompt }]
  const options = { signal, maxTokens, temperature, stopSequences, toolChoice: 'none' } as const
  let text = ''
  let finish: Extract<ModelEvent, { type: 'finish' }>['reason'] = 'other'
  const prompt = [...system, ...messages.map(toMessage)]
  for await (const event of askModel(observer, model, prompt, [], options)) {
    if (event.type === 'text') text += event.text
    else if (event.type === 'finish') finish = event.reason
  }
  signal.throwIfAborted()
  return { text, stopReason: stopReasons[finish] }
}

function toMessage({
  role,
  content,
}: CreateMessageRequestParams['messages'][number]): ModelMessage {
  const parts = [content].flat().flatMap((block): readonly ModelContent[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }]
    if (block.type !== 'image' && block.type !== 'audio') return [] // tools are not offered, so there are none
    const { type, mimeType, data } = block
    return [{ type, mimeType, data }]
  })
  if (role === 'user') return { role, content: parts }
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { role, text, calls: [] }
}
