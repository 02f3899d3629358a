import { createFromInfo } from '../create-server.ts'
import { removeStatement } from '../registrations.ts'
import type { Source } from '../source.ts'
import { identifier, nodesIn, part, type TreeNode } from '../tree.ts'
import { listingOf } from './listing.ts'
import { movePrompts } from './prompts.ts'
import { handlerOf, requestHandlers, type RequestHandler } from './request-handlers.ts'
import { moveResources } from './resources.ts'
import { moveTools } from './tools.ts'

/** The server itself, where it is made or named as a type. */
function moveServer(source: Source): void {
  const name = source.official('Server')
  for (const node of name === undefined ? [] : nodesIn(source.tree.root)) {
    if (node.type === 'NewExpression' && identifier(part(node, 'callee')) === name)
      createFromInfo(source, node)
    if (node.type === 'TSTypeReference' && identifier(part(node, 'typeName')) === name)
      source.use('type Server', '@parley/mcp/server')
  }
}

/** Moves servers that answer requests by their own handlers: one lists the tools, another calls them. */
export function migrateLowLevel(source: Source): void {
  moveServer(source)
  const calls = requestHandlers(source)
  const find = (schema: string, method: string) => handlerOf(source, calls, schema, method)
  const moved = new Set<TreeNode | undefined>()
  const left = new Map<TreeNode | undefined, string>()
  const settle = (
    problem: string | undefined,
    handlers: readonly (RequestHandler | undefined)[],
  ) => {
    for (const one of handlers)
      if (problem === undefined) moved.add(one?.call)
      else left.set(one?.call, problem)
  }

  const tools = find('ListToolsRequestSchema', 'tools/list')
  const call = find('CallToolRequestSchema', 'tools/call')
  if (tools !== undefined && call !== undefined)
    settle(moveTools(source, tools, call), [tools, call])

  const list = find('ListResourcesRequestSchema', 'resources/list')
  const templates = find('ListResourceTemplatesRequestSchema', 'resources/templates/list')
  const read = find('ReadResourceRequestSchema', 'resources/read')
  if (read !== undefined)
    settle(moveResources(source, { list, templates, read }), [list, templates, read])

  const prompts = find('ListPromptsRequestSchema', 'prompts/list')
  const get = find('GetPromptRequestSchema', 'prompts/get')
  if (prompts !== undefined && get !== undefined)
    settle(movePrompts(source, prompts, get), [prompts, get])

  for (const [one, member] of [
    [list, 'resources'],
    [templates, 'resourceTemplates'],
    [prompts, 'prompts'],
  ] as const) {
    if (one === undefined || moved.has(one.call) || left.has(one.call)) continue
    const listing = listingOf(source, one, member)
    if (typeof listing === 'string' || listing.kind !== 'empty') continue
    removeStatement(source, one.statement) // a list that is always empty
    moved.add(one.call)
  }
  for (const one of calls) {
    if (moved.has(one)) continue
    const problem = left.get(one) ?? 'register tools, resources and prompts one by one'
    source.leave(one, problem, 'low-level-server')
  }
}
