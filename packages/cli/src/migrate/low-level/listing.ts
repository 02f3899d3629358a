import { isReference, type Source } from '../source.ts'
import {
  childrenOf,
  identifier,
  isFunction,
  keyOf,
  nodesIn,
  part,
  parts,
  valueOf,
  type TreeNode,
} from '../tree.ts'
import type { RequestHandler } from './request-handlers.ts'

/** What a handler of a list answers. */
export interface Listing {
  /** `written`: as an array in its text. `made`: computed, once. */
  readonly kind: 'empty' | 'written' | 'made'
  /** The array itself, where it is written. */
  readonly array?: TreeNode | undefined
  /** The constant that has it already. */
  readonly name?: string | undefined
  /** An expression of the list. */
  readonly text: () => string
}

/** The list as an expression that may stand where the handler stood; a text says why there is none. */
export function listingOf(
  source: Source,
  { handler, statement }: RequestHandler,
  member: string,
): Listing | string {
  if (!isFunction(handler)) return `${member} are listed by a function of another place`
  const [request] = parts(handler, 'params')
  if (request !== undefined && isUsed(source, handler, request))
    return `${member} are listed by what the request says`
  const later = laterName(source, handler, statement)
  if (later !== undefined) return `${later} is used for the list, and made below: move it up`
  const returned = onlyReturned(handler)
  const list = valueOf(returned, member)
  if (list !== undefined && !waits(list)) return writtenOrMade(source, list)
  if (!waits(part(handler, 'body'))) {
    if (part(handler, 'returnType') !== undefined) return `${member} are listed by a typed function`
    return { kind: 'made', text: () => `(${withoutAsync(source, handler)})().${member}` }
  }
  if (!mayAwait(source, statement)) return `${member} are listed by work that is waited for`
  if (list !== undefined) return { kind: 'made', text: () => source.render(list) }
  return { kind: 'made', text: () => `(await (${source.render(handler)})()).${member}` }
}

function writtenOrMade(source: Source, list: TreeNode): Listing {
  const name = identifier(list)
  const text = () => source.render(list)
  if (list.type === 'ArrayExpression' && parts(list, 'elements').length === 0)
    return { kind: 'empty', text }
  const array = name === undefined || isFilled(source, name) ? list : source.meaning(name)
  const isWritten =
    array?.type === 'ArrayExpression' &&
    parts(array, 'elements').every(({ type }) => type !== 'SpreadElement')
  return isWritten ? { kind: 'written', array, name, text } : { kind: 'made', name, text }
}

/** Whether more is put into an array after it was written. */
function isFilled(source: Source, name: string): boolean {
  return source.tree.text.includes(`${name}.push(`) || source.tree.text.includes(`${name}.unshift(`)
}

/** Whether every entry is written in this file, and has no other members than these. */
export function hasOnly(source: Source, { array }: Listing, members: readonly string[]): boolean {
  const entries = parts(array, 'elements').map((item) => writtenObject(source, item))
  const isWritten = entries.length > 0 && entries.every((entry) => entry !== undefined)
  return isWritten && memberNames(entries).every((key) => members.includes(key))
}

/** All members that entries of this file have. */
export function memberNames(entries: readonly (TreeNode | undefined)[]): readonly string[] {
  return entries.flatMap((entry) => parts(entry, 'properties').map((each) => keyOf(each) ?? ''))
}

/** An entry that stands there, or in a constant. */
export function writtenObject(source: Source, node: TreeNode): TreeNode | undefined {
  const object = node.type === 'ObjectExpression' ? node : source.meaning(identifier(node))
  return object?.type === 'ObjectExpression' ? object : undefined
}

/** What a function returns, if it does nothing else. */
function onlyReturned(fn: TreeNode): TreeNode | undefined {
  const body = part(fn, 'body')
  if (body?.type !== 'BlockStatement') return body
  const [only, ...others] = parts(body, 'body')
  return only?.type === 'ReturnStatement' && others.length === 0
    ? part(only, 'argument')
    : undefined
}

function isUsed(source: Source, fn: TreeNode, param: TreeNode): boolean {
  const name = identifier(param)
  const body = part(fn, 'body')
  if (name === undefined || body === undefined) return true
  return [...nodesIn(body)].some(
    (node) => identifier(node) === name && isReference(source.tree, node),
  )
}

/** Whether it waits for something itself, and not only in functions inside. */
function waits(node: TreeNode | undefined): boolean {
  if (node === undefined) return false
  if (node.type === 'AwaitExpression' || node['await'] === true) return true
  return childrenOf(node).some((child) => !isFunction(child) && waits(child))
}

function withoutAsync(source: Source, fn: TreeNode): string {
  const text = source.render(fn)
  return fn['async'] === true ? text.replace(/^async\s*/, '') : text
}

/** At the top of a module, or in a function that is async. */
function mayAwait(source: Source, node: TreeNode): boolean {
  const parent = source.tree.parentOf(node)
  if (parent === undefined) return true
  return isFunction(parent) ? parent['async'] === true : mayAwait(source, parent)
}

/** A constant or class that the list needs, and that is declared below: it is not there yet. */
function laterName(source: Source, handler: TreeNode, at: TreeNode): string | undefined {
  const used = new Set(
    [...nodesIn(handler)]
      .filter((node) => isReference(source.tree, node))
      .map((node) => identifier(node)),
  )
  for (let block = source.tree.parentOf(at); block !== undefined;) {
    for (const statement of parts(block, 'body')) {
      if (statement.start <= at.start) continue
      const name = declaredNames(statement).find((candidate) => used.has(candidate))
      if (name !== undefined) return name
    }
    block = source.tree.parentOf(block)
  }
  return undefined
}

function declaredNames(statement: TreeNode): readonly string[] {
  const declaration = part(statement, 'declaration') ?? statement
  if (declaration.type === 'ClassDeclaration') return [identifier(part(declaration, 'id')) ?? '']
  if (declaration.type !== 'VariableDeclaration') return []
  return parts(declaration, 'declarations').flatMap((item) => {
    const id = part(item, 'id')
    return id === undefined ? [] : [...nodesIn(id)].map((node) => identifier(node) ?? '')
  })
}
