/**
 * The operations of a client as its public methods: list and call tools, prompts and resources, complete. Each goes through the
 * user's middleware and is then sent by `calls.ts`; lists read page by page (`list.ts`), and the result of a tool is compared with
 * its output schema (`tools/output-check.ts`).
 */

import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import type { Lazy, MaybePromise } from '../../rpc/promise.ts'
import type { Check } from '../../schema/check.ts'
import { completeResult } from '../../schema/completion.ts'
import type { Operation, Operations } from '../../schema/methods/client-requests.ts'
import { getPromptResult, listPromptsResult } from '../../schema/prompts.ts'
import {
  listResourcesResult,
  listResourceTemplatesResult,
  readResourceResult,
} from '../../schema/resources.ts'
import {
  callToolResult,
  listToolsResult,
  type CallToolResult,
  type Tool,
} from '../../schema/tools.ts'
import type { ClientInput } from '../input/client-input.ts'
import { createList, type PagedList } from '../list.ts'
import type { CallOptions, ConnectOptions, ToolCallOptions } from '../options.ts'
import { startedTask } from '../tasks/started-task.ts'
import {
  type ToolHeaders,
  checkOutput,
  type ToolDefinitions,
  type ToolCallResult,
} from '../tools/tools.ts'
import type { Calls } from './calls.ts'
import type { ClientLayers } from './middleware.ts'
import { describeCall } from './running-call.ts'

/** The parts of a client that its operations need. */
export interface OperationContext {
  readonly calls: Calls
  readonly input: Lazy<ClientInput>
  readonly layers: ClientLayers
  readonly toolDefinitions: ToolDefinitions
  readonly toolHeaders: ToolHeaders
  /** Whether pages of a list may come from the cache. */
  readonly isModern: () => boolean
  readonly options: ConnectOptions
  readonly limits: ResolvedLimits
  readonly onError: OnError
}

/** The eight operations of a server as methods, each wrapped by middleware, then sent. */
export function createOperations(parts: OperationContext) {
  const { calls, input, layers, toolDefinitions, toolHeaders, options, onError } = parts
  const { output: mode = 'report', compileSchema } = options.validation ?? {}
  const outputCheck = { mode, compileSchema, onError }

  function operate<O extends Operation>(
    operation: O,
    params: object,
    callOptions: CallOptions,
    check: Check<Operations[O]['result']>,
    isRepeatable = true,
    finish?: (result: Operations[O]['result']) => MaybePromise<object>,
  ): Promise<Operations[O]['result']> {
    const hasHeaders = operation === 'tools/call' && toolHeaders.areUsed()
    const { retryAfterUrl } = callOptions
    // The plain case gets the caller's own promise, and nothing is made for what is not asked for.
    if (layers.isEmpty && !hasHeaders && !retryAfterUrl) {
      return calls.send(operation, params, callOptions, check, isRepeatable, finish)
    }

    const result = layers.run(operation, params, callOptions, (current) =>
      hasHeaders ? sendWithHeaders(current) : send(current),
    ) as Promise<Operations[O]['result']> // checked, or made by the user's own middleware
    return finish === undefined ? result : (result.then(finish) as typeof result) // as it says

    async function send(current: object): Promise<object> {
      const once = (): Promise<object> =>
        calls.send(operation, current, callOptions, check, isRepeatable)
      if (!retryAfterUrl) return once()
      const { pendingUrls } = await input.load()
      return pendingUrls.around(describeCall(operation, current), callOptions, once)
    }

    function sendWithHeaders(current: object): Promise<object> {
      return send(current).catch((error: unknown) =>
        refreshed(error, current).then(() => send(current)),
      )
    }
  }

  function list<O extends Operation, Item>(
    operation: O,
    check: Check<Operations[O]['result']>,
    itemsOf: (result: Operations[O]['result']) => MaybePromise<readonly Item[]>,
    callOptions: CallOptions = {},
  ): PagedList<Item> {
    return createList(
      async (cursor) => {
        const params = cursor === undefined ? {} : { cursor }
        const result = await operate(operation, params, callOptions, check)
        const { nextCursor } = result as { readonly nextCursor?: string } // every list has it
        return { items: await itemsOf(result), ...(nextCursor !== undefined && { nextCursor }) }
      },
      { mayRestart: parts.isModern, limits: parts.limits },
    )
  }

  function checkResult(name: string, result: CallToolResult): MaybePromise<ToolCallResult> {
    return checkOutput(name, result, toolDefinitions, outputCheck)
  }

  /** Headers that do not fit were made from an old description: the newest is fetched, and the call made once more. */
  async function refreshed(error: unknown, params: object): Promise<void> {
    if (!isRpcError(error, 'header_mismatch')) throw error
    const { name } = params as { readonly name?: unknown } // compared, not trusted
    for await (const tool of methods.listTools({ fresh: true })) if (tool.name === name) return
  }

  async function learned(tools: readonly Tool[]): Promise<readonly Tool[]> {
    const usable = toolHeaders.usable(tools)
    toolDefinitions.learn(usable)
    return usable
  }

  const methods = {
    listTools: (callOptions?: CallOptions) =>
      list('tools/list', listToolsResult, ({ tools }) => learned(tools), callOptions),

    callTool(
      name: string,
      args: object = {},
      toolOptions: ToolCallOptions = noOptions,
    ): Promise<unknown> {
      const { idempotent } = toolOptions
      const callOptions = idempotent === undefined ? toolOptions : withoutIdempotent(toolOptions)
      const hints = toolDefinitions.get(name)?.annotations
      const isRepeatable = idempotent ?? Boolean(hints?.readOnlyHint || hints?.idempotentHint)
      const params = { name, arguments: args }
      return operate('tools/call', params, callOptions, callToolResult, isRepeatable, (result) =>
        startedTask in result ? result : checkResult(name, result),
      )
    },

    listResources: (callOptions?: CallOptions) =>
      list('resources/list', listResourcesResult, ({ resources }) => resources, callOptions),

    listResourceTemplates: (callOptions?: CallOptions) =>
      list(
        'resources/templates/list',
        listResourceTemplatesResult,
        ({ resourceTemplates }) => resourceTemplates,
        callOptions,
      ),

    readResource: (uri: string, callOptions: CallOptions = {}) =>
      operate('resources/read', { uri }, callOptions, readResourceResult),

    listPrompts: (callOptions?: CallOptions) =>
      list('prompts/list', listPromptsResult, ({ prompts }) => prompts, callOptions),

    getPrompt(
      name: string,
      args?: { readonly [name: string]: string },
      callOptions: CallOptions = {},
    ) {
      const params = args ? { name, arguments: args } : { name }
      return operate('prompts/get', params, callOptions, getPromptResult)
    },

    async complete(
      ref: object,
      argument: object,
      { known, ...callOptions }: CallOptions & { readonly known?: object } = {},
    ) {
      const params = { ref, argument, ...(known && { context: { arguments: known } }) }
      const result = await operate('completion/complete', params, callOptions, completeResult)
      return result.completion
    },
  }
  return { methods, checkResult }
}

const noOptions: ToolCallOptions = Object.freeze({})

function withoutIdempotent({ idempotent: _, ...options }: ToolCallOptions): CallOptions {
  return options
}
