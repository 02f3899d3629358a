/**
 * The kinds of values that settings files hold, as Valibot schemas whose messages say what was seen and what to write instead.
 *
 * A file is declared once with these. From the declaration come the reader (`read-settings.ts`), the JSON Schema for editors and
 * the tables in the docs (`scripts/settings.mjs`), so each setting has a description here, its default and where the docs explain
 * it. A message has a line for what is wrong, and one for the cure; `{key}` and `{seen}` stand for the setting's name and what it holds.
 */

import { errorMessage } from '@parley/mcp/json'
import * as v from 'valibot'

/** Notes about a setting for docs and editors, besides its description. */
export interface SettingNotes {
  /** The default, as it would be written in the file; in words if no value expresses it. */
  readonly default?: boolean | number | string | undefined
  /** The page and heading that explain it, from `docs/`. */
  readonly see?: string | undefined
  /** A change of it counts with the next start of the program. Without this, with the reload that reads it. */
  readonly reload?: 'start' | undefined
  /** An example value. */
  readonly example?: string | undefined
}

/** The lines of a message: what is wrong, the cure, and the words one of which may have been meant. */
export function faultText(what: string, cure: string, words: readonly string[] = []): string {
  return words.length === 0 ? `${what}\n${cure}` : `${what}\n${cure}\n${words.join(',')}`
}

/** A setting that may be left out. */
export function setting<Schema extends v.GenericSchema>(
  description: string,
  schema: Schema,
  notes: SettingNotes = {},
): v.OptionalSchema<Schema, undefined> {
  return v.optional(required(description, schema, notes), undefined)
}

/** A setting that must be there. */
export function required<Schema extends v.GenericSchema>(
  description: string,
  schema: Schema,
  notes: SettingNotes = {},
): Schema {
  const { default: usual, ...others } = notes
  const metadata = { ...others, ...(usual !== undefined && { default: usual }) }
  // A description and metadata change no value, so the schema keeps its type.
  return v.pipe(schema, v.description(description), v.metadata(metadata)) as unknown as Schema
}

/** An object with these members and no others. */
export function section<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, (issue: v.StrictObjectIssue) => string> {
  const names = Object.keys(entries)
  const known = names.join(', ')
  const rest = v.never(faultText('is unknown', `Use ${known}.`, names))
  // Valibot's own strict object stops at the first unknown name. No value of this one has others either, so the type is the same.
  return notList(
    v.objectWithRest(entries, rest, ({ expected }) => {
      if (expected === 'Object')
        return faultText('must be an object: {seen}', `Write {key}: { ${known} }.`)
      const name = JSON.parse(expected) as string // the missing name, in quotes
      const { example } = v.getMetadata(entries[name] as v.GenericSchema) as SettingNotes // as `required` sets it
      return faultText(`has no ${name}`, `Add ${name}: ${example ?? '"…"'}.`)
    }),
  ) as unknown as v.StrictObjectSchema<Entries, (issue: v.StrictObjectIssue) => string>
}

/** Text, at least one character. */
export const text = v.pipe(
  v.string(faultText('must be a string: {seen}', 'Put it in quotes.')),
  v.nonEmpty(faultText('is empty', 'Write {key}: "…".')),
)

/** `true` or `false`. */
export const flag = v.boolean(faultText('must be true or false: {seen}', 'Write {key}: true.'))

/** A list. */
export function list<Item extends v.GenericSchema>(item: Item, example = '"…"') {
  return v.array(item, faultText('must be a list: {seen}', `Write {key}: [${example}].`))
}

/** Several texts. */
export const texts = list(text)

/** An object whose names are the user's own. */
export function table<Value extends v.GenericSchema>(value: Value, example = 'NAME: …') {
  const message = faultText('must be an object: {seen}', `Write {key}: { ${example} }.`)
  return notList(v.record(v.string(), value, message))
}

/** To Valibot a list is an object too. */
function notList<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return {
    ...schema,
    '~run'(dataset, config) {
      const { value } = dataset
      if (!Array.isArray(value)) return schema['~run'](dataset, config)
      const refused = schema['~run']({ value: null }, config)
      const issues = refused.issues?.map((issue) => ({ ...issue, input: value as unknown }))
      return { typed: false, value, issues }
    },
  }
}

/** Texts by name, such as headers. */
export const textTable = table(
  v.string(faultText('must be a string: {seen}', 'Put it in quotes.')),
  'NAME: "value"',
)

/** One of several words. */
export function choice<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, faultText('is unknown: {seen}', `Use ${words.join(', ')}.`, words))
}

/** A number between two others. */
export function number(min: number, max: number) {
  const message = faultText('is out of range: {seen}', `Write a number from ${min} to ${max}.`)
  return v.pipe(v.number(message), v.minValue(min, message), v.maxValue(max, message))
}

/** A whole number between two others. */
export function count(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min}` : `${min} to ${max}`
  const message = faultText('is out of range: {seen}', `Write a whole number from ${range}.`)
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

/** A TCP port; 0 is any that is free. */
export const port = count(0, 65_535)

/** A value that a function understands; it returns undefined for one that it does not. */
export function readAs<Input, Output>(
  from: v.GenericSchema<unknown, Input>,
  read: (value: Input) => Output | undefined,
  [what, cure]: readonly [what: string, cure: string],
) {
  return v.pipe(
    from,
    v.rawTransform<Input, Output>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value)
      if (value !== undefined) return value
      addIssue({ message: faultText(what, cure) })
      return NEVER
    }),
  )
}

/** Text or a number, as YAML has `3000` and `"3000"`. */
export const textOrNumber = v.union(
  [v.string(), v.number()],
  faultText('must be a string: {seen}', 'Put it in quotes.'),
)

/** An amount that a function reads; it throws `KEY "SEEN" is not a size: write 512M`. */
export function amount(read: (text: string, key: string) => number) {
  return v.pipe(
    textOrNumber,
    v.rawTransform<string | number, number>(({ dataset, addIssue, NEVER }) => {
      try {
        return read(String(dataset.value), '{key}')
      } catch (error) {
        const why = errorMessage(error)
        const [what = why, cure = 'correct it'] = why.split(': ', 2)
        addIssue({ message: faultText(what.replace('{key} ', ''), sentence(cure)) })
        return NEVER
      }
    }),
  )
}

/** One of several forms: `page: true`, `page: 8081` or `page: { … }`. */
export function oneOf<const Options extends v.UnionOptions>(options: Options, cure: string) {
  return v.union(options, faultText('is not understood: {seen}', cure))
}

/** A problem of a whole value, in words, with its member if it is about one. */
export interface Mistake {
  /** The member. @defaultValue the whole */
  readonly at?: string | undefined
  /** The problem. */
  readonly what: string
  /** The text to write instead. */
  readonly cure: string
}

/** An object whose members have to fit each other. */
export function fitting<Entries extends v.ObjectEntries>(
  schema: v.StrictObjectSchema<Entries, (issue: v.StrictObjectIssue) => string>,
  find: (value: v.InferOutput<v.StrictObjectSchema<Entries, undefined>>) => Mistake | undefined,
) {
  return v.pipe(
    schema,
    v.rawCheck(({ dataset, addIssue }) => {
      const mistake = dataset.typed ? find(dataset.value) : undefined
      if (mistake === undefined) return
      const { at, what, cure } = mistake
      const input = dataset.value as { readonly [name: string]: unknown } // it is an object, or would not be typed
      const path = [
        { type: 'object', origin: 'value', input, key: at ?? '', value: input[at ?? ''] },
      ]
      const where = at === undefined ? {} : { path: path as [v.ObjectPathItem] }
      addIssue({ message: faultText(what, cure), ...where })
    }),
  )
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`
}
