import { createFromInfo } from './create-server.ts'
import { rewriteHandler, type HandlerTypes } from './handler.ts'
import type { Source } from './source.ts'
import {
  identifier,
  memberName,
  nodesIn,
  part,
  parts,
  stringValue,
  valueOf,
  type TreeNode,
} from './tree.ts'

/** Moves servers that answer requests by their own handlers: one lists the tools, another calls them. */
export function migrateLowLevel(source: Source): void {
  const name = source.official('Server')
  if (name === undefined) return
  const nodes = [...nodesIn(source.tree.root)]
  for (const node of nodes) {
    if (node.type === 'NewExpression' && identifier(part(node, 'callee')) === name)
      createFromInfo(source, node)
    if (node.type === 'TSTypeReference' && identifier(part(node, 'typeName')) === name) {
      source.use('type Server', '@parley/mcp/server')
    }
  }
  const handlers = nodes.filter(
    (node) =>
      node.type === 'CallExpression' && memberName(part(node, 'callee')) === 'setRequestHandler',
  )
  const list = handlers.filter((one) =>
    answers(source, one, 'ListToolsRequestSchema', 'tools/list'),
  )
  const call = handlers.filter((one) => answers(source, one, 'CallToolRequestSchema', 'tools/call'))
  const isMoved = list.length === 1 && call.length === 1 && moveTools(source, list[0], call[0])
  for (const one of handlers) {
    if (isMoved && (one === list[0] || one === call[0])) continue
    source.leave(one, 'register tools, resources and prompts one by one', 'low-level-server')
  }
}

/** Whether a handler is for this request, by the schema of v1 or the method of v2. */
function answers(source: Source, call: TreeNode, schema: string, method: string): boolean {
  const [request] = parts(call, 'arguments')
  const name = source.official(schema)
  return stringValue(request) === method || (name !== undefined && identifier(request) === name)
}

/** The list becomes a constant, and each of its tools a tool that is called as before. */
function moveTools(
  source: Source,
  list: TreeNode | undefined,
  call: TreeNode | undefined,
): boolean {
  const listing = list && source.tree.parentOf(list)
  const calling = call && source.tree.parentOf(call)
  const tools = listOf(parts(list, 'arguments')[1])
  const handler = parts(call, 'arguments')[1]
  const server = part(part(call, 'callee'), 'object')
  const isFlat = listing?.type === 'ExpressionStatement' && calling?.type === 'ExpressionStatement'
  if (!isFlat || tools === undefined || handler === undefined || server === undefined) return false
  if (source.tree.parentOf(listing) !== source.tree.parentOf(calling)) return false
  if (/\boutputSchema\b/.test(source.tree.textOf(tools))) return false

  const json = source.use('jsonSchema', '@parley/mcp')
  const indent = /[ \t]*$/.exec(source.tree.text.slice(0, calling.start))?.[0] ?? ''
  const end = source.tree.textOf(calling).endsWith(';') ? ';' : ''
  const hasContext = rewriteHandler(source, handler, {
    kind: 'tool',
    hasInput: true,
    types: source.tree.isTyped ? typesOf(source) : undefined,
  })
  const register = [
    `for (const { name, inputSchema, ...options } of tools) {`,
    `  ${source.tree.textOf(server)}.tool(name, { ...options, inputSchema: ${json}${source.tree.isTyped ? '<Record<string, unknown>>' : ''}(inputSchema) }, (input${hasContext ? ', context' : ''}) =>`,
    `    callTool({ params: { name, arguments: input } }${hasContext ? ', context' : ''}),`,
    `  )${end}`,
    `}`,
  ].join(`\n${indent}`)
  const isLast = calling.start > listing.start
  source.edits.replace(
    listing,
    () => `const tools = ${source.render(tools)}${end}${isLast ? '' : `\n${indent}${register}`}`,
  )
  source.edits.replace(
    calling,
    () =>
      `const callTool = ${source.render(handler)}${end}${isLast ? `\n${indent}${register}` : ''}`,
  )
  return true
}

/** The tools that a handler returns, if it does nothing else. */
function listOf(handler: TreeNode | undefined): TreeNode | undefined {
  const body = part(handler, 'body')
  const [only, ...others] = parts(body, 'body')
  if (body?.type !== 'BlockStatement') return valueOf(body, 'tools')
  return only?.type === 'ReturnStatement' && others.length === 0
    ? valueOf(part(only, 'argument'), 'tools')
    : undefined
}

/** The official SDK gave the parameters their types. */
function typesOf(source: Source): HandlerTypes {
  return {
    input: ': { params: { name: string; arguments: Record<string, unknown> } }',
    context: () => `: ${source.use('type Context', '@parley/mcp/server').replace('type ', '')}`,
    result: () =>
      `: Promise<${source.use('type CallToolResult', '@parley/mcp').replace('type ', '')}>`,
  }
}
