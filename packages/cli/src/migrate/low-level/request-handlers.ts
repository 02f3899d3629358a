import type { HandlerTypes } from '../handler.ts'
import { removeStatement } from '../registrations.ts'
import { isReference, type Source } from '../source.ts'
import {
  identifier,
  isFunction,
  memberName,
  nodesIn,
  part,
  parts,
  stringValue,
  type TreeNode,
} from '../tree.ts'

/** `server.setRequestHandler(schema, handler)`, as a statement of its own. */
export interface RequestHandler {
  readonly call: TreeNode
  readonly statement: TreeNode
  readonly handler: TreeNode
  /** How the server is called there. */
  readonly server: string
}

/** Every handler of a request of a low-level server, also those that cannot be moved. */
export function requestHandlers(source: Source): readonly TreeNode[] {
  const isMade = source.official('Server') !== undefined
  return [...nodesIn(source.tree.root)].filter((node) => {
    const callee = node.type === 'CallExpression' ? part(node, 'callee') : undefined
    if (memberName(callee) !== 'setRequestHandler') return false
    // A function of a file without the class is given the server; `server.server` is that of a high-level one.
    return isMade || part(callee, 'object')?.type === 'Identifier'
  })
}

/** The one handler of a request, by the schema of v1 or the method of v2; undefined if there are none or several. */
export function handlerOf(
  source: Source,
  calls: readonly TreeNode[],
  schema: string,
  method: string,
): RequestHandler | undefined {
  const name = source.official(schema)
  const [call, ...others] = calls.filter((candidate) => {
    const [request] = parts(candidate, 'arguments')
    return stringValue(request) === method || (name !== undefined && identifier(request) === name)
  })
  const statement = call && source.tree.parentOf(call)
  const handler = parts(call, 'arguments')[1]
  const server = part(part(call, 'callee'), 'object')
  if (call === undefined || handler === undefined || server === undefined) return undefined
  if (others.length > 0 || statement?.type !== 'ExpressionStatement') return undefined
  return { call, statement, handler, server: source.tree.textOf(server) }
}

/** Whether all of them stand in one block, so that what one declares the others see. */
export function areNeighbours(source: Source, handlers: readonly RequestHandler[]): boolean {
  return new Set(handlers.map(({ statement }) => source.tree.parentOf(statement))).size === 1
}

/** The function that does the work, also in `traced(async (request) => …)`. */
export function workOf(handler: TreeNode): TreeNode {
  if (handler.type !== 'CallExpression') return handler
  const [inner, ...others] = parts(handler, 'arguments').filter(isFunction)
  return inner !== undefined && others.length === 0 ? inner : handler
}

/** A name that nothing in this file has yet. */
export function freeName(source: Source, name: string, other: string): string {
  const isTaken = [...nodesIn(source.tree.root)].some(
    (node) => identifier(node) === name && isReference(source.tree, node),
  )
  return isTaken ? other : name
}

/** The types that the official SDK gave to the parameters and the result of a handler; none in JavaScript. */
export function typesOf(source: Source, params: string, result: string): HandlerTypes | undefined {
  if (!source.tree.isTyped) return undefined
  return {
    input: `: { params: ${params} }`,
    context: () => `: ${typeName(source, 'Context', '@parley/mcp/server')}`,
    result: () => `: Promise<${typeName(source, result, '@parley/mcp')}>`,
  }
}

/** A list as one of this type, where types are written. */
export function asListOf(source: Source, list: string, type: string): string {
  return source.tree.isTyped
    ? `${list} as readonly ${typeName(source, type, '@parley/mcp')}[]`
    : list
}

function typeName(source: Source, name: string, from: string): string {
  return source.use(`type ${name}`, from).replace('type ', '')
}

/** Replaces statements of a feature: each by its own text, if it has one, the last also by what registers it all. */
export function replaceStatements(
  source: Source,
  texts: readonly (readonly [RequestHandler, (() => string) | undefined])[],
  registration: (indent: string, end: string) => string,
): void {
  const inOrder = texts.toSorted(([a], [b]) => a.statement.start - b.statement.start)
  const last = inOrder.at(-1)?.[0]
  for (const [key, text] of inOrder) {
    const { statement } = key
    if (text === undefined && key !== last) {
      removeStatement(source, statement)
      continue
    }
    const indent = /[ \t]*$/.exec(source.tree.text.slice(0, statement.start))?.[0] ?? ''
    const end = source.tree.textOf(statement).endsWith(';') ? ';' : ''
    source.edits.replace(statement, () => {
      const lines = [
        ...(text === undefined ? [] : [`${text()}${end}`]),
        ...(key === last ? [registration(indent, end)] : []),
      ]
      return lines.join(`\n${indent}`)
    })
  }
}
