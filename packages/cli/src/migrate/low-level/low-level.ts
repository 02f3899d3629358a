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
  const applyMove = (
    problem: string | undefined,
    handlers: readonly (RequestHandler | undefined)[],
  ) => {
    for (const handler of handlers)
      if (problem === undefined) moved.add(handler?.call)
      else left.set(handler?.call, problem)
  }

  const tools = find('ListToolsRequestSchema', 'tools/list')
  const call = find('CallToolRequestSchema', 'tools/call')
  if (tools !== undefined && call !== undefined)
    applyMove(moveTools(source, tools, call), [tools, call])

  const list = find('ListResourcesRequestSchema', 'resources/list')
  const templates = find('ListResourceTemplatesRequestSchema', 'resources/templates/list')
  const read = find('ReadResourceRequestSchema', 'resources/read')
  if (read !== undefined)
    applyMove(moveResources(source, { list, templates, read }), [list, templates, read])

  const prompts = find('ListPromptsRequestSchema', 'prompts/list')
  const get = find('GetPromptRequestSchema', 'prompts/get')
  if (prompts !== undefined && get !== undefined)
    applyMove(movePrompts(source, prompts, get), [prompts, get])

  for (const [key, member] of [
    [list, 'resources'],
    [templates, 'resourceTemplates'],
    [prompts, 'prompts'],
  ] as const) {
    if (key === undefined || moved.has(key.call) || left.has(key.call)) continue
    const listing = listingOf(source, key, member)
    if (typeof listing === 'string' || listing.kind !== 'empty') continue
    removeStatement(source, key.statement) // a list that is always empty
    moved.add(key.call)
  }
  for (const item of calls) {
    if (moved.has(item)) continue
    const problem = left.get(item) ?? 'register tools, resources and prompts one by one'
    source.leave(item, problem, 'low-level-server')
  }
}
