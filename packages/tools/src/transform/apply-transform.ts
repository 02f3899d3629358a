import { RpcError, ToolError, type JsonObject, type Tool } from '@parley/mcp'
import type { CallOptions, Client, ToolCallOptions } from '@parley/mcp/client'
import type { Server } from '@parley/mcp/server'

import { mapList } from '../mapped-list.ts'
import { TransformError } from './transform-error.ts'
import type { ToolTransform } from './transform-tools.ts'

/** How rules that do not fit are dealt with. */
export interface ApplyOptions {
  /** Rules for tools that a server does not have, or not yet. @defaultValue 'error' */
  readonly missing?: 'error' | 'ignore' | undefined
  /** A tool that came later does not fit its rule, and is left out of the list. @defaultValue prints to standard error */
  readonly onProblem?: ((problem: TransformError) => void) | undefined
}

/**
 * Shows the tools of a server or a client as the transform has them. For a server: checks the rules, adds middleware and
 * returns it. For a client: returns one whose `listTools` and `callTool` are changed; the given client stays as it is.
 */
export function applyTransform<App, Tools>(
  server: Server<App, Tools>,
  transform: ToolTransform,
  options?: ApplyOptions,
): Server<App, Tools>
export function applyTransform(
  client: Client,
  transform: ToolTransform,
  options?: ApplyOptions,
): Client
export function applyTransform(
  target: Server | Client,
  transform: ToolTransform,
  options: ApplyOptions = {},
): Server | Client {
  return 'callTool' in target
    ? transformClient(target, transform, options)
    : transformServer(target, transform, options)
}

function transformServer(server: Server, transform: ToolTransform, options: ApplyOptions): Server {
  const tools = server.tools()
  const names = new Set(tools.map(({ name }) => name))
  const isIgnored = (problem: TransformError) =>
    options.missing === 'ignore' && !names.has(problem.tool)
  const problem = transform.check(tools).find((found) => !isIgnored(found))
  if (problem !== undefined) throw problem

  server.use('tools/list', async (_, next) => {
    const outcome = await next()
    const listed = exposedTools(outcome.result.tools, transform, options)
    return { ...outcome, result: { ...outcome.result, tools: listed } }
  })
  server.use('tools/call', async ({ params }, next) => {
    const call = transform.toCall(params.name, params.arguments)
    if (call.kind === 'unknown') throw unknownTool(params.name)
    if (call.kind === 'refused') throw new ToolError(call.problem)
    return next({ params: { ...params, name: call.name, arguments: call.args } })
  })
  return server
}

function transformClient(client: Client, transform: ToolTransform, options: ApplyOptions): Client {
  return Object.create(client, {
    listTools: {
      value: (callOptions?: CallOptions) =>
        mapList(client.listTools(callOptions), (tools) => exposedTools(tools, transform, options)),
    },
    callTool: {
      async value(name: string, args: object = {}, callOptions?: ToolCallOptions) {
        const call = transform.toCall(name, args as JsonObject) // arguments of tools are JSON
        if (call.kind === 'unknown') throw unknownTool(name)
        if (call.kind === 'refused') {
          return { content: [{ type: 'text', text: call.problem }], isError: true }
        }
        return client.callTool(call.name, call.args, callOptions)
      },
    },
  }) as Client // everything else is the client's own
}

function exposedTools(
  tools: readonly Tool[],
  transform: ToolTransform,
  { onProblem = printProblem }: ApplyOptions,
): Tool[] {
  return tools.flatMap((tool) => {
    try {
      return transform.toExposed(tool) ?? []
    } catch (error) {
      if (!(error instanceof TransformError)) throw error
      onProblem(error)
      return []
    }
  })
}

function unknownTool(name: string): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', `unknown tool: ${name}`)
}

function printProblem(problem: TransformError): void {
  console.error(`[warning] tools/list: ${problem.message}`)
}
