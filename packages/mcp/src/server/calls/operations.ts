import type { MaybePromise } from '../../rpc/promise.ts'
import type { ParamsOf, Operation } from '../../schema/methods/client-requests.ts'
import { completeArgument } from '../completion/completion.ts'
import { CallContext } from '../context.ts'
import type { Definition } from '../definition.ts'
import type { ListOperation } from '../feature-index.ts'
import { listForCaller } from '../lists/caller-lists.ts'
import { enterDefinition } from '../middleware.ts'
import { getPrompt } from '../prompts/get-prompt.ts'
import { readResource } from '../resources/read-resource.ts'
import { callTool } from '../tools/call-tool.ts'
import type { Call } from './call.ts'

/** Runs one operation for one caller: its `app`, the middleware around it, and the feature itself. */
export function runOperation<O extends Operation>(
  definition: Definition,
  operation: O,
  params: ParamsOf<O>,
  call: Call,
): MaybePromise<object> {
  const isBare = definition.settings.app === undefined && definition.middleware.length === 0
  return isBare
    ? perform(definition, operation, params, new CallContext(call, undefined)) // as most are: nothing is awaited
    : enterDefinition(definition, operation, params, call, perform)
}

function perform<O extends Operation>(
  definition: Definition,
  operation: O,
  params: ParamsOf<O>,
  context: CallContext,
): MaybePromise<object> {
  return features[operation](definition, params, context)
}

/** The work of each operation. A mounted definition is entered with `runOperation` again. */
const features: { readonly [O in Operation]: Feature<O> } = {
  'tools/list': list('tools/list'),
  'tools/call': (definition, params, context) =>
    callTool(definition, params, context, runOperation),
  'resources/list': list('resources/list'),
  'resources/templates/list': list('resources/templates/list'),
  'resources/read': (definition, params, context) =>
    readResource(definition, params, context, runOperation),
  'prompts/list': list('prompts/list'),
  'prompts/get': (definition, params, context) =>
    getPrompt(definition, params, context, runOperation),
  'completion/complete': (definition, params, context) =>
    completeArgument(definition, params, context, runOperation),
}

type Feature<O extends Operation> = (
  definition: Definition,
  params: ParamsOf<O>,
  context: CallContext,
) => MaybePromise<object>

function list<O extends ListOperation>(operation: O): Feature<O> {
  return (definition, params, context) => listForCaller(definition, operation, params, context)
}
