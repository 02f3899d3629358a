import * as s from '../check.ts'
import type {
  CompleteRequestParams,
  CompletionArgument,
  CompletionContext,
  CompletionReference,
  PromptReference,
  ResourceTemplateReference,
} from '../completion.ts'
import { inputResponseShape } from '../input/input.ts'
import { emptyRequestParams, initializeParams } from '../lifecycle.ts'
import { setLevelParams } from '../logging.ts'
import { listParams } from '../pagination.ts'
import { optionalRequestMeta } from '../progress.ts'
import type { GetPromptRequestParams } from '../prompts.ts'
import type { ReadResourceRequestParams, SubscribeRequestParams } from '../resources.ts'
import { listenParams } from '../subscriptions.ts'
import { taskRequest } from '../tasks.ts'
import type { CallToolRequestParams } from '../tools.ts'
import type { ClientRequests, ParamsOf } from './client-requests.ts'

const callToolParams = s.object<CallToolRequestParams>(
  s.fields(
    { name: s.string, arguments: s.optional(s.jsonObject), task: s.optional(taskRequest) },
    inputResponseShape,
    { _meta: optionalRequestMeta },
  ),
)

const getPromptParams = s.object<GetPromptRequestParams>(
  s.fields({ name: s.string, arguments: s.optional(s.record(s.string)) }, inputResponseShape, {
    _meta: optionalRequestMeta,
  }),
)

const readResourceParams = s.object<ReadResourceRequestParams>(
  s.fields({ uri: s.string }, inputResponseShape, { _meta: optionalRequestMeta }),
)

const subscribeParams = s.object<SubscribeRequestParams>({
  uri: s.string,
  _meta: optionalRequestMeta,
})

const completionReference = s.tagged<CompletionReference, 'type'>('type', {
  'ref/prompt': s.object<PromptReference>({
    type: s.literal('ref/prompt'),
    name: s.string,
    title: s.optional(s.string),
  }),
  'ref/resource': s.object<ResourceTemplateReference>({
    type: s.literal('ref/resource'),
    uri: s.string,
  }),
})

const completionArgument = s.object<CompletionArgument>({ name: s.string, value: s.string })

const completionContext = s.object<CompletionContext>({
  arguments: s.optional(s.record(s.string)),
})

const completeParams = s.object<CompleteRequestParams>({
  ref: completionReference,
  argument: completionArgument,
  context: s.optional(completionContext),
  _meta: optionalRequestMeta,
})

/** The check of every request's params, by method. */
export const requestParams: { readonly [M in keyof ClientRequests]: s.Check<ParamsOf<M>> } = {
  initialize: initializeParams,
  ping: emptyRequestParams,
  'server/discover': emptyRequestParams,
  'tools/list': listParams,
  'tools/call': callToolParams,
  'resources/list': listParams,
  'resources/templates/list': listParams,
  'resources/read': readResourceParams,
  'resources/subscribe': subscribeParams,
  'resources/unsubscribe': subscribeParams,
  'subscriptions/listen': listenParams,
  'prompts/list': listParams,
  'prompts/get': getPromptParams,
  'completion/complete': completeParams,
  'logging/setLevel': setLevelParams,
}
