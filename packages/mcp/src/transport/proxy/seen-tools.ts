import { headersOf, repeatedBy } from '../../client/tools/tool-headers.ts'
import { BoundedMap } from '../../rpc/bounded-map.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Tool } from '../../schema/tools.ts'
import type { HeaderAnnotation } from '../../wire/param-headers.ts'

/** The facts about tools that forwarding needs, from definitions that have passed through the proxy. */
export interface SeenTools {
  /** Remembers the definitions in the result of `tools/list`. */
  learn(result: JsonObject): void
  /** Headers that repeat arguments. */
  readonly headersOf: (name: string, args: JsonObject) => { readonly [header: string]: string }
  /** Has these headers sent with a call with these arguments, besides those that are known of. */
  passHeaders(args: JsonObject, headers: { readonly [header: string]: string }): void
  /** Which arguments headers repeat; undefined for a tool without, or one that was not listed yet. */
  repeated(name: unknown): readonly HeaderAnnotation[] | undefined
  /** Calling it twice does no harm, says its definition. */
  mayRepeat(name: unknown): boolean
  /** The server runs it as a task only. */
  learnTask(name: unknown): void
  isTask(name: unknown): boolean
  /** Whether a server of 2025-11-25 runs it as a task; undefined for one that was not listed yet. */
  taskSupport(name: unknown): TaskSupport | undefined
  /** It is in no list. */
  learnUnlisted(name: unknown): void
}

/** Whether a tool runs as a task. */
export type TaskSupport = 'optional' | 'required' | 'never'

/** Beyond this the oldest are forgotten; a call without its headers is refused by the server, and listed again. */
const maxTools = 10_000

export function createSeenTools(): SeenTools {
  const tools = new BoundedMap<string, Tool>(maxTools)
  const passed = new WeakMap<JsonObject, { readonly [header: string]: string }>()
  const tasks = new BoundedMap<unknown, true>(maxTools)
  const support = new BoundedMap<unknown, TaskSupport>(maxTools)

  function remember(tool: Tool): void {
    if (hasHeaders(tool) || isHarmless(tool)) tools.set(tool.name, tool)
    else tools.delete(tool.name)
  }

  return {
    learn({ tools: listed }) {
      if (!Array.isArray(listed)) return
      for (const tool of listed) {
        if (!isTool(tool)) continue
        remember(tool)
        support.set(tool.name, supportOf(tool))
      }
    },
    headersOf(name, args) {
      const tool = tools.get(name)
      const callHeaders = passed.get(args)
      const own = tool === undefined ? {} : headersOf(tool, args)
      return callHeaders === undefined ? own : { ...callHeaders, ...own }
    },
    passHeaders: (args, headers) => void passed.set(args, headers),
    repeated(name) {
      const tool = typeof name === 'string' ? tools.get(name) : undefined
      return tool && repeatedBy(tool)
    },
    learnTask: (name) => tasks.set(name, true),
    isTask: (name) => tasks.size > 0 && tasks.has(name),
    taskSupport: (name) => (tasks.has(name) ? 'required' : support.get(name)),
    learnUnlisted: (name) => support.set(name, 'never'),
    mayRepeat(name) {
      const tool = typeof name === 'string' ? tools.get(name) : undefined
      return tool !== undefined && isHarmless(tool)
    },
  }
}

/** A definition is not ours to check: only what is read here has to be there. */
function isTool(value: unknown): value is Tool {
  return (
    isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['inputSchema'])
  )
}

function supportOf({ execution }: Tool): TaskSupport {
  const support: unknown = execution?.taskSupport // not checked yet
  return support === 'optional' || support === 'required' ? support : 'never'
}

function isHarmless({ annotations }: Tool): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true
}

function hasHeaders({ inputSchema }: Tool): boolean {
  return JSON.stringify(inputSchema).includes('"x-mcp-header"')
}
