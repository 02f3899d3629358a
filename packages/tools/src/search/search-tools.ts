/**
 * The three tools that a model gets instead of a long list: one to find tools, one to describe them, and one to call one. Used for servers
 * (`search-server.ts`) and clients (`search-client.ts`).
 */

import type { CallToolResult, JsonObject, Tool } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { ToolFilter, ToolIndex } from './create-tool-search.ts'
import { readCount, readText, type SearchableTool } from './offer.ts'

/** How one call of a search tool is answered. */
export interface SearchToolOptions<Result> extends ToolFilter {
  /** Calls the tool that `call_tool` names; what it returns is the answer. */
  readonly call: (name: string, args: JsonObject) => Promise<Result>
}

/** One of the tools that stand for many: its definition, and what a call of it does. */
export interface SearchTool {
  /** How the tool is listed. */
  readonly definition: Tool
  /** Answers a call of it. */
  handle<Result>(
    args: JsonObject,
    options: SearchToolOptions<Result>,
  ): Promise<Result | CallToolResult>
}

/** The names of the three tools. */
export interface SearchToolNames {
  /** @defaultValue 'find_tools' */
  readonly find?: string | undefined
  /** @defaultValue 'describe_tool' */
  readonly describe?: string | undefined
  /** @defaultValue 'call_tool' */
  readonly call?: string | undefined
}

const defaultLimit = 10
const maxAnswers = 50
const maxDescription = 300

/** The three tools that a model gets instead of all: to find, to describe and to call one. A search that is given as a function is made at the first call. */
export function toolSearchTools(
  source: ToolIndex | (() => Promise<ToolIndex>),
  names: SearchToolNames = {},
): readonly SearchTool[] {
  const { find = 'find_tools', describe = 'describe_tool', call = 'call_tool' } = names
  const own = new Set([find, describe, call])
  const opened = once(source)
  const toolName = { type: 'string', description: `As ${find} has it.` }

  const findTool: SearchTool = {
    definition: {
      name: find,
      title: 'Find tools',
      description: `Searches the tools that can be called with ${call}. Search by what the task needs, in a few words; without a query it lists them all.`,
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'For example: create calendar event' },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: maxAnswers,
            description: `How many; ${defaultLimit} if left out.`,
          },
          offset: { type: 'integer', minimum: 0, description: 'Skips the first ones.' },
        },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async handle(args, { where }) {
      const query = readText(args, 'query') ?? ''
      const limit = readCount(args, 'limit', 1, maxAnswers) ?? defaultLimit
      const offset = readCount(args, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0
      if (typeof query !== 'string') return failed(query.problem)
      if (typeof limit !== 'number') return failed(limit.problem)
      if (typeof offset !== 'number') return failed(offset.problem)
      const search = await opened()
      const { found, total, leftOut } = search.search(query, { limit, offset, where })
      if (found.length === 0) return answered(nothingFound(query, total, offset))
      const rest = total - offset - found.length
      return answered({
        tools: found.map(({ tool }) => summary(tool)),
        total,
        ...(rest > 0 && { next: `${rest} more: offset ${offset + found.length}` }),
        ...(leftOut > 0 && { warning: `${leftOut} tools are too many to be searched` }),
      })
    },
  }

  const describeTool: SearchTool = {
    definition: {
      name: describe,
      title: 'Describe a tool',
      description: `Shows the arguments of a tool that ${find} has found, as JSON Schema. Read them before ${call}.`,
      inputSchema: {
        type: 'object',
        properties: { name: toolName },
        required: ['name'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async handle(args, { where }) {
      const name = readText(args, 'name')
      if (typeof name !== 'string') return failed(name?.problem ?? missing('name'))
      const search = await opened()
      const described = search.describe(name, { where })
      return described === undefined
        ? failed(unknownTool(search, name, where))
        : answered(described)
    },
  }

  const callTool: SearchTool = {
    definition: {
      name: call,
      title: 'Call a tool',
      description: `Calls a tool that ${find} has found, with arguments as ${describe} shows them.`,
      inputSchema: {
        type: 'object',
        properties: {
          name: toolName,
          arguments: { type: 'object', description: `As the tool's inputSchema has them.` },
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
    async handle(args, { where, call: forward }) {
      const name = readText(args, 'name')
      if (typeof name !== 'string') return failed(name?.problem ?? missing('name'))
      if (own.has(name)) return failed(`${name} is called by itself, not with ${call}`)
      const search = await opened()
      if (search.get(name, { where }) === undefined) return failed(unknownTool(search, name, where))
      const { arguments: forTool = {}, name: _, ...rest } = args
      const unexpected = Object.keys(rest)
      if (unexpected.length > 0) {
        return failed(`put the arguments of ${name} into "arguments": ${unexpected.join(', ')}`)
      }
      if (!isJsonObject(forTool)) return failed('"arguments" must be an object')
      return forward(name, forTool)
    },
  }

  function unknownTool(search: ToolIndex, name: string, where: ToolFilter['where']): string {
    const { found } = search.search(name, { limit: 3, where })
    const near = found.map(({ tool }) => tool.name).join(', ')
    return `there is no tool ${JSON.stringify(name.slice(0, 200))}${near && `; similar: ${near}`}. Search with ${find}.`
  }

  return [findTool, describeTool, callTool]
}

/** Made at the first use, and once more if that failed. */
function once(index: ToolIndex | (() => Promise<ToolIndex>)): () => Promise<ToolIndex> {
  if (typeof index !== 'function') return async () => index
  let made: Promise<ToolIndex> | undefined
  return () =>
    (made ??= index().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

/** Short: what a model needs to choose among them. */
function summary(tool: SearchableTool): object {
  const { name, title, description = '', annotations, inputSchema } = tool
  const shown = title ?? annotations?.title
  const isLong = description.length > maxDescription
  const properties = isJsonObject(inputSchema?.['properties']) ? inputSchema['properties'] : {}
  const required = Array.isArray(inputSchema?.['required']) ? inputSchema['required'] : []
  const args = Object.keys(properties).map((arg) => (required.includes(arg) ? arg : `${arg}?`))
  return {
    name,
    ...(shown !== undefined && { title: shown }),
    ...(description && {
      description: isLong ? `${description.slice(0, maxDescription)}…` : description,
    }),
    ...(args.length > 0 && { arguments: args.slice(0, 30).join(', ') }),
  }
}

function nothingFound(query: string, total: number, offset: number): object {
  const advice =
    total > 0
      ? `there are ${total}: use an offset below that, not ${offset}`
      : `nothing fits ${JSON.stringify(query.slice(0, 200))}: try other words, or leave out the query to list all tools`
  return { tools: [], total, advice }
}

function missing(argument: string): string {
  return `"${argument}" is missing`
}

function answered(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
