import { importNative } from '@parley/foundation/native'
import type * as Oxc from 'oxc-parser'

let parser: typeof Oxc | undefined

/** A node of the syntax tree, with both of its ends. */
export interface TreeNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** A parsed source: nodes know where they stand. */
export interface Tree {
  readonly text: string
  readonly root: TreeNode
  /** Whether types may be written in it. */
  readonly isTyped: boolean
  parentOf(node: TreeNode): TreeNode | undefined
  textOf(node: TreeNode): string
}

/** Parses a source; undefined if it has a mistake in it. */
export async function parseTree(file: string, text: string): Promise<Tree | undefined> {
  parser ??= (await importNative('oxc-parser')) as typeof Oxc // by its own declarations
  const { program, errors } = parser.parseSync(file, text, {
    lang: languageOf(file),
    preserveParens: false,
  })
  if (errors.length > 0 || !isTreeNode(program)) return undefined
  const parents = new Map<TreeNode, TreeNode>()
  for (const node of nodesIn(program)) for (const item of childrenOf(node)) parents.set(item, node)
  return {
    text,
    root: program,
    isTyped: languageOf(file) !== 'jsx',
    parentOf: (node) => parents.get(node),
    textOf: ({ start, end }) => text.slice(start, end),
  }
}

function languageOf(file: string): 'ts' | 'tsx' | 'jsx' {
  if (/\.[cm]?ts$/.test(file)) return 'ts'
  return file.endsWith('.tsx') ? 'tsx' : 'jsx'
}

function isTreeNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'end' in value
}

/** A node and all below it, from the outside in. */
export function* nodesIn(node: TreeNode): Generator<TreeNode> {
  const rest = [node] // not by calls: a chain of thousands of operators is as deep
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    yield next
    rest.push(...childrenOf(next).toReversed())
  }
}

/** The nodes right below. */
export function childrenOf(node: TreeNode): readonly TreeNode[] {
  return Object.values(node).flat().filter(isTreeNode)
}

/** One member that is a node. */
export function part(node: TreeNode | undefined, member: string): TreeNode | undefined {
  const value = node?.[member]
  return isTreeNode(value) ? value : undefined
}

/** A member that is a list of nodes. */
export function parts(node: TreeNode | undefined, member: string): readonly TreeNode[] {
  const value = node?.[member]
  return Array.isArray(value) ? value.filter(isTreeNode) : []
}

/** The name of an identifier. */
export function identifier(node: TreeNode | undefined): string | undefined {
  return node?.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : undefined
}

/** The text of a string literal. */
export function stringValue(node: TreeNode | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined
}

/** The name of a property or member that is written out. */
export function keyOf(node: TreeNode, member = 'key'): string | undefined {
  const key = part(node, member)
  return node['computed'] === true ? stringValue(key) : (identifier(key) ?? stringValue(key))
}

/** A property of an object that is written out. */
export function propertyOf(object: TreeNode | undefined, name: string): TreeNode | undefined {
  return parts(object, 'properties').find(
    (candidate) => candidate.type === 'Property' && keyOf(candidate) === name,
  )
}

/** What an object that is written out has under a name. */
export function valueOf(object: TreeNode | undefined, name: string): TreeNode | undefined {
  return part(propertyOf(object, name), 'value')
}

/** `object.name` of a call or member, through `?.`. */
export function memberName(node: TreeNode | undefined): string | undefined {
  return node?.type === 'MemberExpression' ? keyOf(node, 'property') : undefined
}

export function isFunction(node: TreeNode | undefined): node is TreeNode {
  return node !== undefined && /^(Arrow)?Function(Expression|Declaration)?$/.test(node.type)
}
