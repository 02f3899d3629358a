import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise } from '../../rpc/promise.ts'
import { describeProblem } from '../../schema/check.ts'
import {
  getPromptResult,
  type GetPromptRequestParams,
  type GetPromptResult,
  type PromptMessage,
} from '../../schema/prompts.ts'
import { requireScopesOf, findVisible } from '../access.ts'
import { runHandler } from '../calls/run-handler.ts'
import type { CallContext } from '../context.ts'
import type { Definition } from '../definition.ts'
import { indexOf } from '../feature-index.ts'
import { RoundEnd } from '../input/input-required.ts'
import { runMounted, unknownFeature, type RunOperation } from '../mount.ts'
import { toBlock } from '../tools/tool-result.ts'
import { describeIssues } from '../user-schema.ts'
import { message, type PromptEntry } from './prompts.ts'

/** `prompts/get`. An unknown or hidden prompt, and arguments that do not fit, are `invalid_params`. */
export async function getPrompt(
  definition: Definition,
  params: GetPromptRequestParams,
  context: CallContext,
  run: RunOperation,
): Promise<object> {
  const exposed = await findVisible(indexOf(definition).prompts.get(params.name), context)
  if (exposed === undefined) throw unknownFeature('prompt', params.name)
  if (exposed.mount) return runMounted(exposed.mount, 'prompts/get', params, context.call, run)
  return makeMessages(exposed.entry, params.arguments ?? {}, context)
}

async function makeMessages(
  prompt: PromptEntry,
  args: { readonly [name: string]: string },
  context: CallContext,
): Promise<GetPromptResult | RoundEnd> {
  let input: unknown = {}
  if (prompt.input) {
    const checked = await prompt.input.validate(args)
    if (checked.issues) {
      const why = `Invalid arguments for prompt ${prompt.name}:\n${describeIssues(checked.issues)}`
      throw new RpcError('invalid_params', why, { data: { issues: checked.issues } })
    }
    input = checked.value
  }
  requireScopesOf(prompt.config.scopes, input, context)
  const pending = runHandler(context.call, () => prompt.handler(input as never, context as never)) // as above
  const returned = isPromise(pending) ? await pending : pending
  if (returned instanceof RoundEnd) return returned
  return toPromptResult(returned, prompt)
}

/** Turns the value that a handler returned into a result; an invalid one is an error of the server, not of the caller. */
function toPromptResult(returned: unknown, { name, config }: PromptEntry): GetPromptResult {
  const result =
    isObject(returned) && 'messages' in returned
      ? returned
      : {
          ...(config.description !== undefined && { description: config.description }),
          messages: (Array.isArray(returned) ? returned : [returned]).map(toMessage),
        }
  const problem = getPromptResult(result)
  if (problem === undefined) {
    const checked = result as GetPromptResult // just checked
    return { ...checked, messages: checked.messages.map(completed) }
  }
  throw new TypeError(
    `prompt ${name} returned no messages: return text, message(role, …), or a list of them (${describeProblem(problem)})`,
  )
}

function toMessage(part: unknown): unknown {
  return typeof part === 'string' ? message('user', part) : part
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** An embedded resource in a message written by hand gets a media type too (DEC-07). */
function completed(written: PromptMessage): PromptMessage {
  const content = toBlock(written.content)
  return content === written.content ? written : { ...written, content }
}
