/**
 * TypeScript declarations of tools, for a model that writes programs: what each tool takes and answers, in as few tokens as keep
 * the meaning. Object types that several tools share are written once, under a name.
 *
 * The types of schemas are those of `@parley/tools/types`; this file decides what is named, what has a comment, and what goes
 * together into one answer. Texts of servers pass through `safeText` and `safeJson`: none of them ends a comment or a string.
 */

import { safeJson, safeText } from '@parley/foundation/terminal'
import type { JsonObject, JsonSchema } from '@parley/mcp'
import { createNamedTypes, typeOfSchema, type TypeText } from '@parley/tools/types'

/** A tool that programs can call. */
export interface CodeTool {
  /** What programs call it: letters, digits, `_` and `-`, as `exposedToolName` makes them. */
  readonly name: string
  /** The server that it is of. */
  readonly server: string
  /** What it does. */
  readonly description?: string | undefined
  /** JSON Schema of its arguments. */
  readonly inputSchema?: JsonSchema | undefined
  /** JSON Schema of its result. */
  readonly outputSchema?: JsonSchema | undefined
}

/** The declarations of a set of tools. */
export interface Declarations {
  /** Those of some tools, with the types that they use; types in `known` are left out, and those written are added to it. */
  write(names: readonly string[], known?: Set<string>): string
}

/** Values of an enumeration that are written. */
const maxChoices = 16
/** Shorter object types are clearer in their place. */
const minSharedCharacters = 24
/** What came out of a schema that says nothing of members is named after the tool. */
const plainWords = new Set([
  'data',
  'entries',
  'item',
  'items',
  'output',
  'record',
  'records',
  'result',
  'results',
  'rows',
  'value',
  'values',
])

/** An object type that may stand in several places. No text of a schema can hold its mark. */
interface SharedType {
  readonly text: string
  readonly wanted: string
  uses: number
  name?: string | undefined
}

interface Signature {
  readonly comment: string
  readonly args: string
  readonly result: string | undefined
}

/** Writes nothing before it is asked. `seen` tells what a tool without an output schema has answered so far, as a type. */
export function createDeclarations(
  tools: readonly CodeTool[],
  seen: (name: string) => string | undefined = () => undefined,
): Declarations {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  let made: ReturnType<typeof writeAll> | undefined

  return {
    write(names, known = new Set()) {
      made ??= writeAll(tools)
      const { signatures, expand, typeOf } = made
      const wanted: string[] = []
      const lines = names.flatMap((name) => {
        const signature = signatures.get(name)
        const tool = byName.get(name)
        if (signature === undefined || tool === undefined) return []
        const { comment, args, result } = signature
        const answer = result === undefined ? undefined : expand(result, wanted)
        const shape = answer === undefined ? seen(name) : undefined
        const note = shape === undefined ? '' : ` /* seen: ${shape} */`
        return [
          `${comment}${callOf(name)}(${expand(args, wanted)}): Promise<${answer ?? 'unknown'}>${note}`,
        ]
      })
      const types: string[] = []
      for (const name of wanted) {
        if (known.has(name)) continue
        known.add(name)
        types.push(`type ${name} = ${expand(typeOf(name), wanted)}`)
      }
      return [...types, ...lines].join('\n')
    },
  }
}

function callOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `tools.${name}` : `tools[${safeJson(name)}]`
}

function writeAll(tools: readonly CodeTool[]) {
  const types = createNamedTypes({
    escapeText: (text) => safeText(text, { multiline: false }),
    escapeJson: (value) => safeJson(value),
    layout: 'line',
    maxChoices,
  })
  const shared: SharedType[] = []
  const byText = new Map<string, number>()

  function signatureOf({
    name,
    server,
    description,
    inputSchema,
    outputSchema,
  }: CodeTool): Signature {
    const onObject = (type: TypeText, wanted: string): TypeText => {
      if (type.text.length < minSharedCharacters) return type
      let at = byText.get(type.text)
      if (at === undefined) {
        at = shared.length
        byText.set(type.text, at)
        shared.push({ text: type.text, wanted: `${server} ${nounOf(wanted, name)}`, uses: 0 })
      }
      return { text: mark(at), isWhole: true }
    }
    const args = typeOfSchema(inputSchema ?? {}, types, {
      name: `${name} args`,
      comment: (schema) => argumentComment(schema, (text) => types.writer.commentOf(text)),
      onObject,
    })
    const result =
      outputSchema === undefined
        ? undefined
        : typeOfSchema(outputSchema, types, { name: `${name} result`, comment: () => '', onObject })
    const comment = types.writer.commentOf(description).trimEnd()
    return {
      comment: comment === '' ? '' : `${comment}\n`,
      args: argumentsOf(args.text, inputSchema),
      result: result?.text,
    }
  }

  const signatures = new Map(tools.map((tool) => [tool.name, signatureOf(tool)]))
  const declared = new Map(types.declarations().map(({ name, type }) => [name, type]))
  nameShared(
    [...signatures.values()]
      .flatMap(({ args, result = '' }) => [args, result])
      .concat([...declared.values()]),
  )

  /** Counts where each type stands, and names those that stand in two places. */
  function nameShared(texts: readonly string[]): void {
    const waiting = [...texts]
    for (const text of waiting) {
      for (const at of marksIn(text)) {
        const type = shared[at]
        if (type === undefined) continue
        type.uses += 1
        if (type.uses === 1) waiting.push(type.text)
      }
    }
    for (const type of shared) {
      if (type.uses < 2) continue
      type.name = types.newName(type.wanted)
      declared.set(type.name, type.text)
    }
  }

  /** With types in their places; the names of those that have one are added to `wanted`. */
  function expand(text: string, wanted: string[]): string {
    const written = text.replaceAll(markPattern, (_, digits: string) => {
      const type = shared[Number(digits)]
      if (type === undefined) return 'unknown'
      if (type.name === undefined) return expand(type.text, wanted)
      wanted.push(type.name)
      return type.name
    })
    for (const [name] of written.matchAll(/\b[A-Z]\w*\b/g)) {
      if (declared.has(name) && !wanted.includes(name)) wanted.push(name)
    }
    return written
  }

  return { signatures, expand, typeOf: (name: string) => declared.get(name) ?? 'unknown' }
}

/** Control characters of schemas are escaped before they come here. */
const sign = String.fromCodePoint(1)
const markPattern = new RegExp(`${sign}(\\d+)${sign}`, 'g')

function mark(at: number): string {
  return `${sign}${at}${sign}`
}

function marksIn(text: string): readonly number[] {
  return [...text.matchAll(markPattern)].map(([, digits]) => Number(digits))
}

function argumentsOf(type: string, schema: JsonSchema | undefined): string {
  const { properties, required } = Object(schema) as Record<string, unknown> // any value has members
  const names = Object.keys(Object(properties) as object)
  if (names.length === 0 && (type === 'unknown' || type === 'Record<never, never>')) return ''
  const isNeeded = Array.isArray(required) && required.length > 0
  return `args${isNeeded ? '' : '?'}: ${type}`
}

/** What a type cannot say of an argument: a description, bounds, a format, a default. */
function argumentComment(schema: JsonObject, commentOf: (text: string) => string): string {
  const { description, format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const range = (low: unknown, high: unknown, unit: string) =>
    low === undefined && high === undefined ? [] : [`${plain(low)}..${plain(high)}${unit}`]
  const said = [
    ...(typeof description === 'string' ? [description.trim().replace(/\.$/, '')] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(typeof format === 'string' ? [format] : []),
    ...('default' in schema ? [`default ${JSON.stringify(schema['default'])}`] : []),
  ]
  return commentOf(said.join('; '))
}

function plain(bound: unknown): string {
  return typeof bound === 'number' ? String(bound) : ''
}

/** `items` of `list_customers` are named after `customer`. */
function nounOf(wanted: string, tool: string): string {
  const words = wanted.split('/').at(-1) ?? ''
  const isPlain = plainWords.has(words.toLowerCase()) || words.startsWith(tool)
  if (!isPlain) return singular(words)
  const [, ...noun] = (tool.split('__').at(-1) ?? tool).split(/[_-]+|(?=[A-Z])/)
  return noun.length === 0 ? `${tool} ${words.slice(tool.length)}` : singular(noun.join(' '))
}

function singular(words: string): string {
  if (words.endsWith('ies')) return words.replace(/ies$/, 'y')
  if (/(ss|us|is)$/.test(words)) return words
  return words.replace(/(ch|sh|x|s)es$/, '$1').replace(/s$/, '')
}
