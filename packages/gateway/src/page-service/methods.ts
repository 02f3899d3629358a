/**
 * The methods of a gateway's page, declared once: what the page sends is checked by these schemas and has their types, on both
 * sides. What a method answers is in `protocol.ts`, as types alone: the page trusts its own service.
 */

import { faultText, readSettings, type SettingsFault } from '@parley/foundation/settings'
import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import * as v from 'valibot'

import { PageProblem } from './problem.ts'

const maxTextLength = 100_000

const wrong = (expected: string) => faultText(`expected ${expected}`, '')
const anyText = v.pipe(v.string(wrong('text')), v.maxLength(maxTextLength, wrong('text')))
const text = v.pipe(anyText, v.nonEmpty(wrong('text')))
const whole = v.pipe(v.number(wrong('a whole number')), v.safeInteger(wrong('a whole number')))
const texts = v.pipe(v.array(anyText, wrong('a list of texts')), v.readonly())
const object = v.custom<JsonObject>(isJsonObject, wrong('an object'))

function oneOf<const Words extends readonly string[]>(...words: Words) {
  return v.picklist(words, wrong(`one of ${words.join(', ')}`))
}

function params<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.object(entries, ({ expected }) => {
    if (expected === 'Object') return wrong('an object')
    const name = JSON.parse(expected) as string // the missing member, in quotes
    const schema = entries[name] as v.GenericSchema // it is one of them
    const [issue] = v.safeParse(schema, null).issues ?? []
    return `${name}: ${issue?.message ?? wrong('a value')}`
  })
}

const none = params({})
const byId = params({ id: text })

/** What each method takes. */
export const methodParams = {
  'state/get': none,
  'servers/act': params({ name: text, action: oneOf('restart', 'stop', 'drain', 'start') }),
  /** A longer time than the overview has. */
  'traffic/history': params({ span: oneOf('quarter', 'hour', 'day') }),
  'servers/offers': params({ name: text }),
  /** The last 64 KiB that a child wrote to its standard error. */
  'children/stderr': params({ name: text, pid: whole }),
  'sessions/close': params({ id: whole }),
  'trace/page': params({ after: whole, limit: whole }),
  'trace/clear': none,
  'policy/explain': params({
    upstream: text,
    kind: oneOf('tool', 'prompt', 'resource'),
    name: text,
    arguments: object,
    caller: v.optional(anyText),
    claims: object,
    scopes: texts,
  }),
  'quarantine/list': none,
  'quarantine/approve': byId,
  'quarantine/reject': byId,
  'audit/page': params({
    /** In any text of the record. */
    text: v.optional(anyText),
    type: v.optional(anyText),
    outcome: v.optional(anyText),
    upstream: v.optional(anyText),
    /** Only entries before this number. */
    before: v.optional(whole),
  }),
  'audit/verify': none,
  'keys/list': none,
  /** The key itself is in the answer, this once. */
  'keys/create': params({ name: text, scopes: texts, expires: v.optional(anyText) }),
  'keys/revoke': byId,
  /** The file that the gateway runs with, secrets masked. */
  'config/get': none,
  'config/preview': none,
  'config/apply': none,
}

/** The name of a method. */
export type MethodName = keyof typeof methodParams

/** What a method takes. */
export type MethodParams<Name extends MethodName> = Readonly<
  v.InferOutput<(typeof methodParams)[Name]>
>

/** Whether there is such a method. */
export function isMethod(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(methodParams, name)
}

/** The params of a method; throws what is wrong with the first that is wrong. */
export function readParams(name: MethodName, given: unknown): unknown {
  const faults: SettingsFault[] = []
  const read = readSettings(methodParams[name], given ?? {}, [], faults)
  const [fault] = faults
  if (fault === undefined) return read
  const where = fault.path.join('.')
  const what = where === '' ? name : `${name}: ${where}`
  throw new PageProblem('invalid_params', `${what}: ${fault.message}`)
}
