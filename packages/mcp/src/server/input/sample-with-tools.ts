import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isToolError } from '../../rpc/errors/tool-error.ts'
import type { ContentBlock } from '../../schema/content.ts'
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from '../../schema/input/sampling.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Tool } from '../../schema/tools.ts'
import type { Context, InputOptions } from '../context.ts'

/** A tool that the client's model may use, run by this server. */
export interface SamplingTool extends Tool {
  /** Returns text or content for the model. The model is told of errors. */
  run(
    input: JsonObject,
    options: { readonly signal: AbortSignal },
  ): string | readonly ContentBlock[] | Promise<string | readonly ContentBlock[]>
}

/** Options of `sampleWithTools`. */
export interface SamplingLoop extends Omit<CreateMessageRequestParams, 'tools'> {
  /** The tools that the model may use, and what each does. */
  readonly tools: readonly SamplingTool[]
  /** How often the model is asked; in the last round it may use no tools. @defaultValue 8 */
  readonly rounds?: number | undefined
}

/** Tool uses that run for one answer; the rest is refused. */
const maxUses = 32

/**
 * Asks the client's model, runs the tools that it wants to use and asks again, until it has answered or the rounds are
 * used up. Each tool runs once, also where a handler is run again for every question. Throws `limit_exceeded` for a
 * model that goes on using tools when it may not.
 *
 * @deprecated Sampling is deprecated since 2026-07-28 (SEP-2577). Call a model provider instead.
 */
export async function sampleWithTools(
  context: Pick<Context, 'sample' | 'once' | 'signal'>,
  { tools, rounds = 8, ...params }: SamplingLoop,
  options: Omit<InputOptions, 'key'> = {},
): Promise<CreateMessageResult> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const described = tools.map(({ run: _, ...tool }) => tool)
  const messages: SamplingMessage[] = [...params.messages]
  for (let round = 1; round <= rounds; round += 1) {
    const toolChoice = round < rounds ? params.toolChoice : { mode: 'none' as const }
    const answer = await context.sample(
      { ...params, messages, tools: described, ...(toolChoice && { toolChoice }) },
      options,
    )
    const uses = [answer.content].flat().filter((block) => block.type === 'tool_use')
    if (uses.length === 0) return answer
    if (round === rounds) break
    const results = await Promise.all(
      uses.map((use, index) =>
        index < maxUses
          ? context.once(`tool ${round} ${index}`, () => runTool(byName, use, context.signal))
          : Promise.resolve(failed(use, `more than ${maxUses} tools at once`)),
      ),
    )
    messages.push(
      { role: 'assistant', content: answer.content },
      { role: 'user', content: results },
    )
  }
  throw new RpcError('limit_exceeded', `the model still uses tools after ${rounds} rounds`, {
    data: { limit: 'rounds', allowed: rounds },
  })
}

async function runTool(
  tools: ReadonlyMap<string, SamplingTool>,
  use: ToolUseContent,
  signal: AbortSignal,
): Promise<ToolResultContent> {
  const tool = tools.get(use.name)
  if (tool === undefined) return failed(use, `there is no tool ${JSON.stringify(use.name)}`)
  try {
    const clientDescription = await tool.run(use.input, { signal })
    const content =
      typeof clientDescription === 'string'
        ? [{ type: 'text' as const, text: clientDescription }]
        : clientDescription
    return { type: 'tool_result', toolUseId: use.id, content }
  } catch (error) {
    signal.throwIfAborted()
    // The same as for tools of the server: other errors are masked.
    return failed(use, isToolError(error) ? error.message : 'the tool failed')
  }
}

function failed({ id }: ToolUseContent, text: string): ToolResultContent {
  return {
    type: 'tool_result',
    toolUseId: id,
    content: [{ type: 'text', text }],
    isError: true,
  }
}
