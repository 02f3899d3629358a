import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'

import { loadYaml } from './load-yaml.ts'
import { deepInJson, deepInYaml, tooDeep } from './nesting.ts'
import { readToml } from './toml-document.ts'

/** A value of a configuration file that knows where it stands. */
export interface ConfigNode {
  /** The value, as plain data. */
  readonly value: unknown
  /** The line it begins in, counted from 1. */
  readonly line: number
  /** The column it begins in, counted from 1; absent where the parser does not say, as for TOML. */
  readonly column?: number | undefined
  /** Where it begins in the text. */
  readonly start: number
  /** Where it ends in the text. */
  readonly end: number
  /** The members of an object, in order; a name may come twice. */
  readonly members: readonly ConfigMember[]
  /** The items of a list. */
  readonly items: readonly ConfigNode[]
}

/** A name in an object, and what stands under it. */
export interface ConfigMember {
  /** The name. */
  readonly name: string
  /** The line of the name, counted from 1. */
  readonly line: number
  /** The value. */
  readonly node: ConfigNode
}

/** The content of a file, as far as it can be read. */
export interface ConfigDocument {
  /** The top of the document; undefined if nothing could be read. */
  readonly root: ConfigNode | undefined
  /** The syntax errors. */
  readonly problems: readonly SyntaxProblem[]
}

/** Something that is no JSON, YAML or TOML. */
export interface SyntaxProblem {
  /** The line, counted from 1. */
  readonly line: number
  /** The column, counted from 1, where the parser says it. */
  readonly column?: number | undefined
  /** Where it is in the text. */
  readonly offset: number
  /** The problem, for people. */
  readonly message: string
}

/** How a file is written. */
export type ConfigSyntax = 'json' | 'yaml' | 'toml'

/** Reads JSON with comments and trailing commas, YAML or TOML. What is broken does not hide the rest. Total. */
export function readDocument(text: string, syntax: ConfigSyntax): ConfigDocument {
  if (syntax === 'toml') return readToml(text)
  return syntax === 'yaml' ? readYaml(text) : readJson(text)
}

/** By the file's name. */
export function syntaxOf(file: string): ConfigSyntax {
  if (/\.toml$/i.test(file)) return 'toml'
  return /\.ya?ml$/i.test(file) ? 'yaml' : 'json'
}

/** The member of that name, if there is one; of two, the last, as every parser of JSON has it. */
export function memberOf(node: ConfigNode | undefined, name: string): ConfigMember | undefined {
  return node?.members.findLast((member) => member.name === name)
}

function readJson(text: string): ConfigDocument {
  const body = text.replace(/^\uFEFF/, ' ')
  const placeAt = placeFinder(body)
  const deep = deepInJson(body)
  if (deep !== undefined) return tooDeepAt(deep, placeAt)
  const errors: ParseError[] = []
  const options = { allowTrailingComma: true, allowEmptyContent: true }
  const tree = parseTree(body, errors, options)
  const problems = errors.map(({ error, offset }) => ({
    ...placeAt(offset),
    offset,
    message: spaced(printParseErrorCode(error)),
  }))
  return { root: tree && jsonNode(tree, placeAt), problems }
}

function jsonNode(node: Node, placeAt: PlaceFinder): ConfigNode {
  const { offset: start, length, children = [] } = node
  const base = { ...placeAt(start), start, end: start + length, members: [], items: [] }
  if (node.type === 'object') {
    const members = children.flatMap(({ children: [name, value] = [] }) => {
      if (name === undefined || value === undefined) return []
      const { line } = placeAt(name.offset)
      return [{ name: String(name.value), line, node: jsonNode(value, placeAt) }]
    })
    return { ...base, members, value: valueOfMembers(members) }
  }
  if (node.type === 'array') {
    const items = children.map((child) => jsonNode(child, placeAt))
    return { ...base, items, value: items.map(({ value }) => value) }
  }
  return { ...base, value: node.value as unknown } // the library has no type for it
}

/** Defines each member, so that a name like `__proto__` is only a name. */
function valueOfMembers(members: readonly ConfigMember[]): object {
  return Object.fromEntries(members.map(({ name, node: { value } }) => [name, value]))
}

function readYaml(text: string): ConfigDocument {
  const deep = deepInYaml(text)
  if (deep !== undefined) return tooDeepAt(deep, placeFinder(text))
  const { parseDocument } = loadYaml()
  const placeAt = placeFinder(text)
  const document = parseDocument(text, { uniqueKeys: false, merge: false, prettyErrors: false })
  const problems = document.errors.map(({ pos: [offset], message }) => ({
    ...placeAt(offset),
    offset,
    message: message.split('\n', 1)[0] ?? message,
  }))
  const { contents } = document
  return { root: contents === null ? undefined : yamlNode(contents, placeAt), problems }
}

function yamlNode(node: unknown, placeAt: PlaceFinder): ConfigNode {
  const { isAlias, isMap, isScalar, isSeq } = loadYaml()
  const range = isMap(node) || isSeq(node) || isScalar(node) ? node.range : undefined
  const [start = 0, end = start] = range ?? []
  const base = { ...placeAt(start), start, end, members: [], items: [] }
  if (isMap(node)) {
    const members = node.items.map(({ key, value }) => {
      const name = isScalar(key) ? key : undefined
      const { line } = placeAt(name?.range?.[0] ?? start)
      return { name: String(name?.value), line, node: yamlNode(value, placeAt) }
    })
    return { ...base, members, value: valueOfMembers(members) }
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => yamlNode(item, placeAt))
    return { ...base, items, value: items.map(({ value }) => value) }
  }
  if (isScalar(node)) return { ...base, value: node.value }
  // An alias would let one line stand for any number of others.
  return { ...base, value: isAlias(node) ? `*${node.source}` : null }
}

function tooDeepAt(offset: number, placeAt: PlaceFinder): ConfigDocument {
  return { root: undefined, problems: [{ ...placeAt(offset), offset, message: tooDeep }] }
}

type PlaceFinder = (offset: number) => { readonly line: number; readonly column: number }

function placeFinder(text: string): PlaceFinder {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** `CommaExpected` as words. */
function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}
