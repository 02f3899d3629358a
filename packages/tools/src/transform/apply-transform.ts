/**
 * Applies a `ToolTransform` to a server or a client: lists show the changed tools, and calls are translated back. Rules that do not match
 * their tool are reported.
 *
 * Schemas are changed by `edit-schema.ts`, rules are checked by `tool-rules.ts` and `check-arguments.ts`.
 */

import {
  RpcError,
  ToolError,
  type JsonObject,
  type Tool,
  type JsonValue,
  type JsonSchema,
} from '@parley/mcp'
import type { CallOptions, Client, ToolCallOptions } from '@parley/mcp/client'
import { isJsonObject } from '@parley/mcp/json'
import type { Server } from '@parley/mcp/server'

import { mapList } from '../mapped-list.ts'
import { decodeStep, mapReferences, resolveReference } from './schema-references.ts'
import { TransformError, fateOf, type ToolRule } from './tool-rules.ts'
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

/** Arguments as the tool expects them, or what is wrong with those of the caller. */
export type TransformedArguments = { readonly args: JsonObject } | { readonly problem: string }

/** Makes of a caller's arguments those of the tool: renamed, filled in, and none that was hidden. */
export function transformArguments(rule: ToolRule, input: JsonObject): TransformedArguments {
  const rules = Object.entries(rule.arguments ?? {})
  if (rules.length === 0) return { args: input }
  const added: (readonly [string, JsonValue])[] = []
  /** From the name that callers use to the tool's own. */
  const renamed = new Map<string, string>()
  /** Names of the tool that callers do not have. */
  const removed = new Set<string>()
  for (const [argument, argumentRule] of rules) {
    const fate = fateOf(argument, argumentRule)
    if (fate.kind !== 'kept' || fate.name !== argument) removed.add(argument)
    if (fate.kind === 'kept') renamed.set(fate.name, argument)
    if (fate.kind === 'fixed') added.push([argument, fate.value])
    const isLeftOut = fate.kind === 'kept' && !Object.hasOwn(input, fate.name)
    if (isLeftOut && argumentRule.default !== undefined) {
      added.push([argument, argumentRule.default])
    }
  }
  const args: (readonly [string, JsonValue | undefined])[] = []
  for (const [name, value] of Object.entries(input)) {
    const original = renamed.get(name)
    if (original === undefined && removed.has(name)) {
      return { problem: `unknown argument ${JSON.stringify(name)}` }
    }
    args.push([original ?? name, value])
  }
  return { args: Object.fromEntries([...args, ...added]) }
}

/**
 * Leaves out definitions that nothing refers to any more: those of hidden arguments say what callers should not see. A schema
 * with anchors or ids of its own is left as it is.
 */
export function dropUnused(schema: JsonSchema): JsonSchema {
  const { $defs, ...rest } = schema
  if (
    !isJsonObject($defs) ||
    /"\$(?:dynamicRef|anchor|dynamicAnchor|id)":/.test(JSON.stringify(schema))
  ) {
    return schema
  }
  const used = new Set<string>()
  const note = (reference: string) => {
    const [, step] = /^#\/\$defs\/([^/]+)/.exec(reference) ?? []
    if (step !== undefined) used.add(decodeStep(step))
    return reference
  }
  mapReferences(rest, note)
  // A set may grow while it is read: what is used may use more.
  for (const name of used) {
    const definition = $defs[name]
    if (isJsonObject(definition)) mapReferences(definition, note)
  }
  const usedDefinitions = Object.entries($defs).filter(([name]) => used.has(name))
  return usedDefinitions.length === 0
    ? rest
    : { ...rest, $defs: Object.fromEntries(usedDefinitions) }
}

const maxSteps = 16

/** A schema whose root is a reference, as some generators write it, with what it refers to in its place. */
export function inlineRoot(tool: string, schema: JsonSchema, steps = 0): JsonSchema {
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string') return schema
  const target = resolveReference(schema, $ref)
  if (!isJsonObject(target) || steps > maxSteps) {
    throw new TransformError(
      tool,
      undefined,
      `its inputSchema is a reference to ${$ref}, which cannot be followed`,
    )
  }
  const clash = Object.keys(target).find((keyword) => {
    return keyword in own && JSON.stringify(own[keyword]) !== JSON.stringify(target[keyword])
  })
  if (clash !== undefined) {
    const why = `its inputSchema has "${clash}" both beside $ref and behind it, which cannot be edited`
    throw new TransformError(tool, undefined, why)
  }
  return inlineRoot(tool, { ...target, ...own }, steps + 1)
}
