import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { ProviderOptions } from './language-model.ts'
import type { ModelAddress } from './model-name.ts'
import type { ModelMessage } from './model.ts'

/** A piece of an answer with what its provider wants back, such as the signature of reasoning. */
export type ProviderPart =
  | {
      readonly type: 'reasoning' | 'text'
      readonly text: string
      readonly options?: ProviderOptions | undefined
    }
  | { readonly type: 'call'; readonly id: string; readonly options?: ProviderOptions | undefined }

/** For `provider` of a message. Nothing, if the provider wants nothing back. */
export function keepParts(
  form: ModelAddress['form'],
  parts: readonly ProviderPart[],
): JsonObject | undefined {
  if (!parts.some((part) => part.options !== undefined)) return undefined
  // Texts, ids and the metadata of the provider, which is JSON: this makes it a copy without `undefined`.
  return JSON.parse(JSON.stringify({ form, parts })) as JsonObject
}

/**
 * The pieces of a message that this provider wrote. Nothing for those of other providers, and for messages that were
 * edited since: their signatures would not fit.
 */
export function partsOf(
  message: Extract<ModelMessage, { role: 'assistant' }>,
  form: ModelAddress['form'],
): readonly ProviderPart[] | undefined {
  const { provider, text, calls } = message
  if (provider?.['form'] !== form || !Array.isArray(provider['parts'])) return undefined
  const parts = provider['parts'].filter(isPart)
  const written = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const ids = parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
  const isSame =
    written === text &&
    ids.length === calls.length &&
    calls.every((call, index) => call.id === ids[index])
  return isSame ? parts : undefined
}

function isPart(value: unknown): value is ProviderPart {
  if (!isJsonObject(value)) return false
  if (value['options'] !== undefined && !isJsonObject(value['options'])) return false
  if (value['type'] === 'call') return typeof value['id'] === 'string'
  return (
    (value['type'] === 'text' || value['type'] === 'reasoning') && typeof value['text'] === 'string'
  )
}
