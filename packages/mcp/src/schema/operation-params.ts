import * as s from './check.ts'
import type {
  CompleteRequestParams,
  CompletionArgument,
  CompletionContext,
  CompletionReference,
  PromptReference,
  ResourceTemplateReference,
} from './completion.ts'
import { answeredShape } from './input/input.ts'
import { requestMeta } from './progress.ts'
import type { GetPromptRequestParams } from './prompts.ts'
import type { ReadResourceRequestParams, SubscribeRequestParams } from './resources.ts'
import { taskRequest } from './tasks.ts'
import type { CallToolRequestParams } from './tools.ts'

/** Params of `tools/call`. */
export const callToolParams = s.object<CallToolRequestParams>(
  s.fields(
    { name: s.string, arguments: s.optional(s.jsonObject), task: s.optional(taskRequest) },
    answeredShape,
    { _meta: s.optional(requestMeta) },
  ),
)

/** Params of `prompts/get`. */
export const getPromptParams = s.object<GetPromptRequestParams>(
  s.fields({ name: s.string, arguments: s.optional(s.record(s.string)) }, answeredShape, {
    _meta: s.optional(requestMeta),
  }),
)

/** Params of `resources/read`. */
export const readResourceParams = s.object<ReadResourceRequestParams>(
  s.fields({ uri: s.string }, answeredShape, { _meta: s.optional(requestMeta) }),
)

/** Params of `resources/subscribe` and `resources/unsubscribe`. */
export const subscribeParams = s.object<SubscribeRequestParams>({
  uri: s.string,
  _meta: s.optional(requestMeta),
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

/** Params of `completion/complete`. */
export const completeParams = s.object<CompleteRequestParams>({
  ref: completionReference,
  argument: completionArgument,
  context: s.optional(completionContext),
  _meta: s.optional(requestMeta),
})
