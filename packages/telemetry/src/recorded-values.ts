import type { Attributes } from '@opentelemetry/api'
import type { ObservedRequest } from '@parley/mcp'

import { withoutSecrets } from './secrets.ts'

/** Takes out what nobody should read; undefined records nothing. */
export type Redact = (value: unknown, about: RecordedValue) => unknown

/** A value to record. */
export interface RecordedValue {
  /** Whether it is what a caller sent, or what it got. */
  readonly kind: 'arguments' | 'result'
  /** The method, such as `tools/call`. */
  readonly method: string
  /** The tool or prompt. */
  readonly name?: string | undefined
}

/** The arguments of a call, or its result, as text that is not too long. */
export function recorded(
  request: ObservedRequest,
  kind: RecordedValue['kind'],
  value: unknown,
  redact: Redact,
): Attributes {
  if (request.method !== 'tools/call' || value === undefined) return {}
  const { name } = request.params
  const shown = redact(withoutSecrets(value), {
    kind,
    method: request.method,
    name: typeof name === 'string' ? name : undefined,
  })
  const text = shown === undefined ? undefined : toText(shown)
  return text === undefined ? {} : { [`gen_ai.tool.call.${kind}`]: text }
}

function toText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === undefined || text.length <= longest) return text
  return `${text.slice(0, longest)}… (${text.length} characters)`
}

const longest = 8_192
