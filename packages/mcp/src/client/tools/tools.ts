import type { OnError } from '../../rpc/errors/on-error.ts'
import { ToolError } from '../../rpc/errors/tool-error.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { CompileSchema } from '../../schema/json-schema/compile.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { SchemaIssue } from '../../schema/standard-schema.ts'
import type { CallToolResult, Tool } from '../../schema/tools.ts'
import type { ClientSession } from '../connection/session.ts'
import type { ValidationOptions } from '../options.ts'
import { compareOutput } from './output-check.ts'
import { headersOf, usableTools } from './tool-headers.ts'

/** The result of a tool; `toolOutput` returns its value. */
export interface ToolCallResult<Output = unknown> extends CallToolResult<Output> {
  /** Why `structuredContent` does not fit its schema; absent when it does. Not from the wire. */
  readonly issues?: readonly SchemaIssue[]
}

/** The tool's value: structured content, else its text. Throws `ToolError` for an error result. */
export function toolOutput<Output>(
  result: ToolCallResult<Output>,
): unknown extends Output ? unknown : Output {
  const text = result.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
  if (result.isError) {
    throw new ToolError(text || 'the tool failed without saying why', {
      content: result.content,
      structuredContent: result.structuredContent,
    })
  }
  const { structuredContent: output = text } = result
  return output as unknown extends Output ? unknown : Output // text only where nothing was promised
}

/** The definitions of the server's tools seen so far, so that results can be checked and calls repeated safely. */
export interface ToolDefinitions {
  learn(tools: readonly Tool[]): void
  get(name: string): Tool | undefined
  /** Like `get`, but lists the tools once if this one has not been seen. */
  find(name: string): Promise<Tool | undefined>
  forget(): void
}

export function createToolDefinitions(listTools: () => AsyncIterable<Tool>): ToolDefinitions {
  const tools = new Map<string, Tool>()
  const absent = new Set<string>()

  return {
    learn(listed) {
      for (const tool of listed) tools.set(tool.name, tool)
    },
    get: (name) => tools.get(name),
    async find(name) {
      const existing = tools.get(name)
      if (existing !== undefined || absent.has(name)) return existing
      for await (const tool of listTools()) if (tool.name === name) return tool
      absent.add(name)
      return undefined
    },
    forget() {
      tools.clear()
      absent.clear()
    },
  }
}

export interface OutputCheckOptions {
  readonly mode: NonNullable<ValidationOptions['output']>
  readonly compileSchema: CompileSchema | undefined
  readonly onError: OnError
}

/** Compares a result with the tool's own promise. Error results promise nothing. */
export function checkOutput(
  name: string,
  result: CallToolResult,
  tools: ToolDefinitions,
  options: OutputCheckOptions,
): MaybePromise<ToolCallResult> {
  if (options.mode === 'off' || result.isError) return result
  const mayPromise =
    result.structuredContent !== undefined || tools.get(name)?.outputSchema !== undefined
  return mayPromise ? compareOutput(name, result, tools, options) : result
}

/** Arguments that are repeated in headers: over HTTP, in the modern era. */
export interface ToolHeaders {
  /** Whether headers repeat arguments at all. */
  areUsed(): boolean
  /** The tools that can be called; one whose headers cannot be made is reported and left out. */
  usable(tools: readonly Tool[]): readonly Tool[]
  /** The headers of a call to a tool as far as it is known: one that was listed is usable. */
  headersOf(tool: Tool | undefined, args: JsonObject): { readonly [header: string]: string }
}

export function createToolHeaders(
  latest: () => ClientSession | undefined,
  onError: OnError,
): ToolHeaders {
  function areUsed(): boolean {
    const session = latest()
    return session?.kind === 'modern' && session.transport.kind === 'http'
  }

  return {
    areUsed,
    usable: (tools) => (areUsed() ? usableTools(tools, onError) : tools),
    headersOf: (tool, args) => (tool ? headersOf(tool, args) : {}),
  }
}
