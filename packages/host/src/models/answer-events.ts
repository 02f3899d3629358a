import type { ProviderOptions, StreamPart } from './language-model.ts'
import { ModelError } from './model-error.ts'
import type { ModelAddress } from './model-name.ts'
import type { ModelCall, ModelEvent } from './model.ts'
import { keepParts, type ProviderPart } from './provider-parts.ts'

type Finish = Extract<ModelEvent, { type: 'finish' }>

/** Longer than any answer: an endpoint that never stops would fill the memory. */
const maxAnswerLength = 16 * 1024 * 1024

/** The stream ended, and nothing said that the answer did. */
export class CutStream extends Error {}

/**
 * The events of an answer. Calls come right before the end: half a call of a stream that was cut must not look like a
 * whole one. Throws what the provider reports, and `CutStream`.
 */
export async function* replyEvents(
  parts: AsyncIterable<StreamPart>,
  form: ModelAddress['form'],
): AsyncGenerator<ModelEvent> {
  const partsOfAnswer = createKeptParts()
  const calls: ModelCall[] = []
  let characters = 0
  for await (const part of parts) {
    characters += sizeOf(part)
    if (characters > maxAnswerLength) {
      throw new ModelError('refused', 'the answer is longer than 16 million characters: it was cut')
    }
    partsOfAnswer.add(part)
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const type = part.type === 'text-delta' ? 'text' : 'reasoning'
      if (part.delta !== '') yield { type, text: part.delta }
    } else if (part.type === 'tool-call') {
      calls.push({ id: part.toolCallId, name: part.toolName, argumentsText: part.input })
    } else if (part.type === 'error') {
      throw part.error
    } else if (part.type === 'finish') {
      if (isCut(part)) throw new CutStream()
      for (const call of calls) yield { type: 'call', call }
      yield finishOf(part, calls.length > 0, keepParts(form, partsOfAnswer.parts()))
      return
    }
  }
  throw new CutStream()
}

type FinishPart = Extract<StreamPart, { type: 'finish' }>

function isCut({ finishReason }: FinishPart): boolean {
  return finishReason.raw === undefined && finishReason.unified === 'other'
}

function sizeOf(part: StreamPart): number {
  return 'delta' in part ? part.delta.length : 0
}

function finishOf(
  { finishReason, usage }: FinishPart,
  hasCalls: boolean,
  provider: Finish['provider'],
): Finish {
  const [inputTokens, outputTokens] = [usage.inputTokens.total, usage.outputTokens.total]
  return {
    type: 'finish',
    // Some endpoints say `stop` with calls.
    reason: hasCalls ? 'calls' : reasonOf(finishReason.unified),
    usage: {
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    },
    ...(provider !== undefined && { provider }),
  }
}

function reasonOf(unified: FinishPart['finishReason']['unified']): Finish['reason'] {
  if (unified === 'content-filter') return 'filter'
  return unified === 'stop' || unified === 'length' ? unified : 'other'
}

interface Open {
  readonly type: 'reasoning' | 'text'
  text: string
  options: ProviderOptions | undefined
}

/** Pieces in order. What the provider says about one may come at its start, with it or at its end. */
function createKeptParts() {
  const done: (Open | ProviderPart)[] = []
  const open = new Map<string, Open>()

  return {
    parts: (): readonly ProviderPart[] =>
      done.filter((part) => part.type !== 'text' || part.text !== ''),

    add(part: StreamPart): void {
      if (part.type === 'tool-call') {
        done.push({ type: 'call', id: part.toolCallId, options: part.providerMetadata })
      } else if (part.type === 'text-start' || part.type === 'reasoning-start') {
        const type = part.type === 'text-start' ? 'text' : 'reasoning'
        const item: Open = { type, text: '', options: part.providerMetadata }
        open.set(`${type} ${part.id}`, item)
        done.push(item)
      } else if (isRest(part)) {
        const block = open.get(`${part.type.startsWith('text') ? 'text' : 'reasoning'} ${part.id}`)
        if (block === undefined) return
        if ('delta' in part) block.text += part.delta
        block.options = merged(block.options, part.providerMetadata)
      }
    },
  }
}

type Rest = 'text-delta' | 'text-end' | 'reasoning-delta' | 'reasoning-end'

function isRest(part: StreamPart): part is Extract<StreamPart, { type: Rest }> {
  return /^(text|reasoning)-(delta|end)$/.test(part.type)
}

function merged(
  before: ProviderOptions | undefined,
  after: ProviderOptions | undefined,
): ProviderOptions | undefined {
  if (before === undefined || after === undefined) return after ?? before
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries([...names].map((name) => [name, { ...before[name], ...after[name] }]))
}
