import { isSecretName } from '@parley/foundation/secrets'
import type { JsonSchema } from '@parley/mcp'

import { flat } from '../output/printer.ts'
import { schemaIssues } from '../schema-issues.ts'
import type { Prompter } from './asker.ts'

/** What somebody did with a form. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: { readonly [name: string]: unknown } }
  | { readonly action: 'decline' | 'cancel' }

/** Asks for each field of a flat form, checks each answer, and asks before anything is sent. */
export async function fillForm(
  schema: JsonSchema,
  { server, message }: { readonly server: string; readonly message: string },
  prompter: Prompter,
): Promise<FormAnswer> {
  prompter.say(`\n${flat(server)} asks:\n${quoted(message)}`)
  prompter.say('Enter keeps what is in (…), !decline refuses, !cancel or Ctrl+C stops.')
  const content: { [name: string]: unknown } = {}
  for (const field of fieldsOf(schema)) {
    const answer = await askField(field, prompter)
    if (answer.kind === 'end') return { action: answer.action }
    if (answer.kind === 'value') content[field.name] = answer.value
  }
  prompter.say(`This is sent to ${flat(server)}: ${JSON.stringify(content)}`)
  const line = await prompter.ask('Send it? [Y/n] ')
  if (line === undefined) return { action: 'cancel' }
  return /^n/i.test(line.trim()) ? { action: 'decline' } : { action: 'accept', content }
}

/** What a server says stands apart, so that it cannot pass for what we say. */
export function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `  | ${line}`)
    .join('\n')
}

interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly choices: readonly { readonly value: string; readonly title: string }[]
  readonly type: string
}

type FieldAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'skip' }
  | { readonly kind: 'end'; readonly action: 'decline' | 'cancel' }

async function askField(field: Field, prompter: Prompter): Promise<FieldAnswer> {
  const { name, schema, isRequired, choices } = field
  const {
    title = name,
    description,
    default: preset,
  } = schema as {
    readonly title?: string
    readonly description?: string
    readonly default?: unknown
  } // only shown, or held against the schema
  if (isSecretName(name) || /password|secret|api key/i.test(`${title} ${description ?? ''}`)) {
    prompter.say(
      'Careful: this looks like a password or key, which servers must not ask for in this way.',
    )
  }
  if (description !== undefined) prompter.say(`  ${flat(description)}`)
  for (const [at, choice] of choices.entries()) prompter.say(`  ${at + 1}. ${flat(choice.title)}`)
  const suffix = preset === undefined ? (isRequired ? '' : ' (none)') : ` (${flat(textOf(preset))})`

  for (;;) {
    const line = await prompter.ask(`${flat(title)}${hintOf(field)}${suffix}: `)
    if (line === undefined || line.trim() === '!cancel') return { kind: 'end', action: 'cancel' }
    if (line.trim() === '!decline') return { kind: 'end', action: 'decline' }
    if (line === '' && preset !== undefined) return { kind: 'value', value: preset }
    if (line === '' && !isRequired) return { kind: 'skip' }
    const value = parseAnswer(line, field)
    const [issue] = schemaIssues(schema, value)
    if (issue === undefined) return { kind: 'value', value }
    prompter.say(`  ${issue.message}`)
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function hintOf({ type, choices }: Field): string {
  if (type === 'array') return ' [numbers, with commas]'
  if (choices.length > 0) return ' [number]'
  if (type === 'boolean') return ' [y/n]'
  return type === 'string' ? '' : ` [${type}]`
}

/** What was typed as what is asked for; where it is none, the schema says so. */
function parseAnswer(line: string, { type, choices }: Field): unknown {
  const text = line.trim()
  const choose = (word: string) => choices[Number(word) - 1]?.value ?? word
  switch (type) {
    case 'array':
      return text
        .split(',')
        .map((word) => choose(word.trim()))
        .filter((word) => word !== '')
    case 'boolean':
      return /^(?:y|yes|true)$/i.test(text) ? true : /^(?:n|no|false)$/i.test(text) ? false : text
    case 'number':
    case 'integer':
      return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
    default:
      return choices.length > 0 ? choose(text) : line
  }
}

function fieldsOf(schema: JsonSchema): readonly Field[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly required?: readonly string[]
  } // checked by the client before anybody is asked
  return Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    isRequired: required.includes(name),
    choices: choicesOf(each),
    type: typeof each['type'] === 'string' ? each['type'] : 'string',
  }))
}

function choicesOf(schema: JsonSchema): Field['choices'] {
  const { items, oneOf, anyOf, enumNames, enum: values } = schema
  const titled = Array.isArray(oneOf) ? oneOf : anyOf
  if (Array.isArray(titled)) {
    return titled.map((item: { readonly const?: unknown; readonly title?: unknown }) => ({
      value: String(item.const),
      title: String(item.title ?? item.const),
    }))
  }
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : values
    return values.map((value, at) => ({ value: String(value), title: String(names[at] ?? value) }))
  }
  return typeof items === 'object' && items !== null ? choicesOf(items as JsonSchema) : [] // any object is one
}
