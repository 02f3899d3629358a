import type { MaybePromise } from '../../rpc/promise.ts'
import type { CompleteRequestParams } from '../../schema/completion.ts'
import type { Operation } from '../../schema/operations.ts'
import type { GetPromptRequestParams } from '../../schema/prompts.ts'
import type { ReadResourceRequestParams } from '../../schema/resources.ts'
import type { CallToolRequestParams } from '../../schema/tools.ts'
import { completeArgument } from '../completion/completion.ts'
import type { CallContext } from '../context.ts'
import type { Definition } from '../definition.ts'
import { listForCaller } from '../lists/caller-lists.ts'
import { enterDefinition } from '../middleware.ts'
import { getPrompt } from '../prompts/get-prompt.ts'
import { readResource } from '../resources/read-resource.ts'
import { callTool } from '../tools/call-tool.ts'
import type { Call } from './call.ts'

/** Runs one operation for one caller: its `app`, the middleware around it, and the feature itself. */
export function runOperation(
  definition: Definition,
  operation: Operation,
  params: object,
  call: Call,
): MaybePromise<object> {
  return enterDefinition(definition, operation, params, call, perform)
}

/** Params have been checked. A mounted definition is entered with `runOperation` again. */
function perform(
  definition: Definition,
  operation: Operation,
  params: object,
  context: CallContext,
): MaybePromise<object> {
  switch (operation) {
    case 'tools/call':
      return callTool(definition, params as CallToolRequestParams, context, runOperation) // checked by dispatch, as all below
    case 'resources/read':
      return readResource(definition, params as ReadResourceRequestParams, context, runOperation)
    case 'prompts/get':
      return getPrompt(definition, params as GetPromptRequestParams, context, runOperation)
    case 'completion/complete':
      return completeArgument(definition, params as CompleteRequestParams, context, runOperation)
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
      return listForCaller(definition, operation, params, context)
  }
}
