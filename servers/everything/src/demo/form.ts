import { stdin, stdout } from 'node:process'
import { createInterface, type Interface } from 'node:readline/promises'

import type { ElicitResult, JsonSchema } from '@parley/mcp'
import { anySignal } from '@parley/mcp/signals'

/** One field of a form, as far as a terminal can show it. */
interface Field {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly enumNames?: readonly string[]
}

type Answer = string | number | boolean

/** Asks a person to fill in a form, field by field. The end of input declines. */
export async function askPerson(schema: JsonSchema, signal: AbortSignal): Promise<ElicitResult> {
  const reader = createInterface({ input: stdin, output: stdout })
  const ended = new AbortController()
  reader.once('close', () => ended.abort())
  const properties = (schema['properties'] ?? {}) as Record<string, Field> // checked by the client before it asks
  const required = (schema['required'] ?? []) as readonly string[] // as above
  const content: Record<string, Answer> = {}
  try {
    for (const [name, field] of Object.entries(properties)) {
      const isRequired = required.includes(name)
      const stop = anySignal(signal, ended.signal)
      const answer = await askField(reader, name, field, isRequired, stop)
      if (answer !== undefined) content[name] = answer
    }
    return { action: 'accept', content }
  } catch (error) {
    if (ended.signal.aborted) return { action: 'decline' }
    throw error
  } finally {
    reader.close()
  }
}

async function askField(
  reader: Interface,
  name: string,
  field: Field,
  isRequired: boolean,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const hint = field.enum?.join(' | ') ?? field.description ?? field.type
  for (;;) {
    const reply = await reader.question(
      `    ${name} (${hint}${isRequired ? ', needed' : ', Enter skips'}): `,
      { signal },
    )
    const text = reply.trim()
    if (text === '' && !isRequired) return undefined
    const value = text === '' ? undefined : read(text, field)
    if (value !== undefined) return value
  }
}

/** Undefined for what does not fit. */
function read(text: string, { type, enum: choices }: Field): Answer | undefined {
  if (choices) return choices.includes(text) ? text : undefined
  if (type === 'boolean') return /^(y|yes|true)$/i.test(text)
  if (type === 'string') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}
