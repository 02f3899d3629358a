import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { excerpt } from '../json.ts'

/** The arguments of a tool, as words of a command line wrote them. */
export interface ToolArguments {
  readonly values: { readonly [name: string]: unknown }
  /** Those written as plain text, which the tool's schema may want as something else. */
  readonly plain: ReadonlySet<string>
}

/** `key=text`, `key:=json`, `key@file`, and `-` or an object for whole JSON. Later ones win. */
export async function readToolArguments(words: readonly string[], io: Io): Promise<ToolArguments> {
  const values: { [name: string]: unknown } = {}
  const plain = new Set<string>()
  for (const word of words) {
    if (word === '-' || word.startsWith('{')) {
      const [text, where] =
        word === '-' ? [await readStdin(io), 'standard input'] : [word, 'the arguments']
      const members = await parseObject(text, where)
      for (const [name, value] of Object.entries(members)) {
        plain.delete(name)
        setMember(values, name, value)
      }
      continue
    }
    const [, name = '', sign = '', text = ''] = /^([^=:@]+)(:=|=|@)(.*)$/s.exec(word) ?? []
    if (name === '') {
      throw new CliError('error', `${JSON.stringify(word)} is not a valid argument`, {
        hint: 'Write key=value, key:=json, key@file, or - for JSON from standard input.',
      })
    }
    plain.delete(name)
    if (sign === '=') plain.add(name)
    const value =
      sign === '=' ? text : sign === ':=' ? await parseValue(name, text) : await fileText(text, io)
    setMember(values, name, value)
  }
  return { values, plain }
}

/** Whatever the name: `__proto__` is one like any other. */
function setMember(values: object, name: string, value: unknown): void {
  const property = { value, enumerable: true, configurable: true, writable: true }
  Object.defineProperty(values, name, property)
}

/** Plain text becomes what the tool's schema wants there; where that is a text, or unknown, it stays one. */
export function fitToSchema(
  { values, plain }: ToolArguments,
  schema: JsonSchema | undefined,
): { readonly [name: string]: unknown } {
  const properties = (schema?.['properties'] ?? {}) as { readonly [name: string]: unknown } // looked into below
  const pairs = Object.entries(values).map(([name, value]) => {
    const isPlain = plain.has(name) && typeof value === 'string'
    const wanted = Object.hasOwn(properties, name) ? typesOf(properties[name], schema, 0) : []
    return [name, isPlain ? fitText(value, wanted) : value]
  })
  return Object.fromEntries(pairs) as { readonly [name: string]: unknown } // of pairs
}

/** The types that a schema allows, also behind references within the document. */
function typesOf(schema: unknown, root: unknown, depth: number): readonly string[] {
  if (typeof schema !== 'object' || schema === null || depth > 20) return []
  const { type, anyOf, oneOf, $ref } = schema as { readonly [name: string]: unknown } // an object
  const inner = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []))
  const referred = typeof $ref === 'string' ? [resolveReference($ref, root)] : []
  const own = Array.isArray(type) ? (type as unknown[]) : [type]
  return [
    ...own.filter((each) => typeof each === 'string'),
    ...[...inner, ...referred].flatMap((each) => typesOf(each, root, depth + 1)),
  ]
}

/** `#/$defs/address`; others are not looked for. */
function resolveReference(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as { readonly [name: string]: unknown })[key] // just found to be there
          : undefined,
      root,
    )
}

function fitText(text: string, wanted: readonly string[]): unknown {
  if (wanted.includes('string') || wanted.length === 0) return text
  if (wanted.includes('null') && text === 'null') return null
  const isNumber = wanted.includes('number') || wanted.includes('integer')
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (wanted.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  if (wanted.includes('object') || wanted.includes('array')) {
    try {
      return JSON.parse(text)
    } catch {
      return text // the server says what is wrong with it
    }
  }
  return text
}

async function parseValue(name: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = await jsonProblem(text)
    throw new CliError(
      'error',
      `${name}:= needs JSON, and ${excerpt(text, 80)} is not valid JSON: ${why}`,
      {
        hint: `To pass a string, write ${name}=TEXT.`,
        cause: error,
      },
    )
  }
}

async function parseObject(text: string, where: string): Promise<object> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CliError('error', `${where}: not JSON, ${await jsonProblem(text)}`, {
      hint: `Write an object such as '{"name": "value"}', or key=value.`,
      cause: error,
    })
  }
  if (isJsonObject(value)) return value
  throw new CliError('error', `${where}: expected an object, not ${excerpt(text.trim(), 80)}`, {
    hint: `Write an object such as '{"name": "value"}', or key=value.`,
  })
}

/** Where it stops being JSON, and what should stand there. */
async function jsonProblem(text: string): Promise<string> {
  const { parseJson } = await import('@parley/foundation/forms')
  return parseJson(text).fault ?? 'it is empty'
}

/** Text as it is; what is none, as Base64. */
async function fileText(file: string, { cwd }: Io): Promise<string> {
  const bytes = await readFile(resolve(cwd, file)).catch((error: unknown) => {
    throw new CliError('error', `${file} cannot be read`, { cause: error })
  })
  try {
    return new TextDecoder('utf8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('base64')
  }
}

async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as string | Uint8Array)) // a byte stream
  return Buffer.concat(chunks).toString('utf8')
}
