/**
 * Turns the messages and tools of a conversation into the prompt that the providers' packages take, with what differs between
 * providers: where images of results may stand, what is cached, what may not be empty. Pure; `open-model.ts` sends the prompt.
 */

import type { JsonObject } from '@parley/mcp'
import { parseJsonObject } from '@parley/mcp/json'

import type { LanguageModelOptions, Prompt, PromptMessage } from './language-model.ts'
import type { ModelAddress } from './model-name.ts'
import type { Model, ModelContent, ModelMessage, ModelTool } from './model.ts'
import { partsOf, type ProviderPart } from './provider-parts.ts'

type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type ToolResult = Extract<ModelMessage, { role: 'tool' }>
type PromptOf<Role extends PromptMessage['role']> = Extract<PromptMessage, { role: Role }>
type AssistantPart = PromptOf<'assistant'>['content'][number]
type UserPart = PromptOf<'user'>['content'][number]

/** The kinds of content that a model takes, and the form that its provider wants. */
export interface PromptTarget {
  readonly form: ModelAddress['form']
  readonly accepts: NonNullable<Model['accepts']>
}

/** A conversation as the providers' packages take it. */
export function promptOf(messages: readonly ModelMessage[], target: PromptTarget): Prompt {
  const prompt: PromptMessage[] = []
  /** Pictures of results wait here: nothing may stand between the results of one answer. */
  let waiting: UserPart[] = []
  for (const message of systemFirst(messages, target)) {
    if (message.role !== 'tool' && waiting.length > 0) {
      prompt.push({ role: 'user', content: waiting })
      waiting = []
    }
    if (message.role === 'tool') waiting.push(...imagesBeside(message, target))
    const converted = convertMessage(message, target)
    if (converted !== undefined) prompt.push(converted)
  }
  if (waiting.length > 0) prompt.push({ role: 'user', content: waiting })
  return prompt
}

/** Tools as the providers' packages take them. */
export function toolsOf(tools: readonly ModelTool[]): NonNullable<LanguageModelOptions['tools']> {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    // OpenAI refuses objects without `properties`, which JSON Schema allows.
    inputSchema: { ...inputSchema, type: 'object', properties: propertiesOf(inputSchema) },
  }))
}

type Schema = Extract<
  NonNullable<LanguageModelOptions['tools']>[number],
  { type: 'function' }
>['inputSchema']

function propertiesOf(schema: JsonObject): NonNullable<Schema['properties']> {
  const properties = schema['properties']
  // Whether these are schemas is for the provider to say.
  return typeof properties === 'object' && properties !== null
    ? (properties as NonNullable<Schema['properties']>)
    : {}
}

/** Anthropic has one place for instructions: in front. */
function systemFirst(messages: readonly ModelMessage[], { form }: PromptTarget) {
  if (form !== 'anthropic') return messages
  const texts = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []))
  if (texts.length === 0) return messages
  const rest = messages.filter((message) => message.role !== 'system')
  return [{ role: 'system', text: texts.join('\n\n') } as const, ...rest]
}

function convertMessage(message: ModelMessage, target: PromptTarget): PromptMessage | undefined {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text, ...cached(target) }
    case 'user': {
      const content = message.content.map((part) => userPart(part, target)).filter(isNotEmpty)
      return content.length === 0 ? undefined : { role: 'user', content }
    }
    case 'assistant': {
      const content = assistantParts(message, target)
      return content.length === 0 ? undefined : { role: 'assistant', content }
    }
    case 'tool':
      return { role: 'tool', content: [toolResult(message, target)] }
  }
}

/** Instructions and tools stay the same through a conversation: Anthropic reads them from its cache if asked to. */
function cached({ form }: PromptTarget) {
  if (form !== 'anthropic') return {}
  return { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
}

function userPart(part: ModelContent, { accepts }: PromptTarget): UserPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const isUsed = part.type === 'image' ? accepts.images === true : accepts.audio === true
  if (!isUsed) return { type: 'text', text: leftOut(part) }
  return { type: 'file', mediaType: part.mimeType, data: part.data }
}

/** Providers refuse empty texts. */
function isNotEmpty(part: UserPart): boolean {
  return part.type !== 'text' || part.text !== ''
}

function leftOut({ type, mimeType, data }: Exclude<ModelContent, { type: 'text' }>): string {
  const bytes = Math.floor((data.length * 3) / 4)
  return `[${type} of ${bytes} bytes, ${mimeType}, left out: this model does not take it]`
}

function assistantParts(message: Assistant, target: PromptTarget): AssistantPart[] {
  const content = partsOf(message, target.form)
  if (content !== undefined) return content.map((part) => knownPart(part, message))
  const parts: AssistantPart[] = message.calls.map((call) => callPart(call.id, message))
  return message.text === '' ? parts : [{ type: 'text', text: message.text }, ...parts]
}

function knownPart(part: ProviderPart, message: Assistant): AssistantPart {
  const options = part.options === undefined ? {} : { providerOptions: part.options }
  if (part.type === 'call') return { ...callPart(part.id, message), ...options }
  return { type: part.type, text: part.text, ...options }
}

function callPart(id: string, message: Assistant) {
  const call = message.calls.find((candidate) => candidate.id === id)
  const text = call?.argumentsText ?? ''
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: call?.name ?? '',
    // Providers refuse a history whose arguments are no object, so broken ones come back inside one.
    input: text.trim() === '' ? {} : (parseJsonObject(text) ?? { unreadable: text }),
  } as const
}

function toolResult(message: ToolResult, target: PromptTarget) {
  return {
    type: 'tool-result',
    toolCallId: message.callId,
    toolName: message.name,
    output: outputOf(message, target),
  } as const
}

type ToolOutput = Extract<PromptOf<'tool'>['content'][number], { type: 'tool-result' }>['output']

function outputOf(message: ToolResult, target: PromptTarget): ToolOutput {
  const { content, isError } = message
  const text = content.map((part) => textIn(part, target)).join('\n')
  if (isError) return { type: 'error-text', value: text }
  const hasImages = content.some((part) => part.type === 'image')
  if (!hasImages || !acceptsImagesInResults(target)) return { type: 'text', value: text }
  const value = content.map((part) =>
    part.type === 'image'
      ? ({ type: 'image-data', data: part.data, mediaType: part.mimeType } as const)
      : ({ type: 'text', text: textIn(part, target) } as const),
  )
  return {
    type: 'content',
    value: value.filter((part) => part.type !== 'text' || part.text !== ''),
  }
}

function textIn(part: ModelContent, target: PromptTarget): string {
  if (part.type === 'text') return part.text
  if (part.type === 'audio' || target.accepts.images !== true) return leftOut(part)
  return acceptsImagesInResults(target) ? '' : '[image: it follows these results]'
}

/** Chat completions take nothing but text in a result. */
function acceptsImagesInResults({ form, accepts }: PromptTarget): boolean {
  return accepts.images === true && (form === 'anthropic' || form === 'openai-responses')
}

function imagesBeside(message: ToolResult, target: PromptTarget): UserPart[] {
  if (target.accepts.images !== true) return []
  // Errors are text everywhere.
  if (acceptsImagesInResults(target) && !message.isError) return []
  const images = message.content.filter((part) => part.type === 'image')
  if (images.length === 0) return []
  const label = `[${images.length === 1 ? 'Image' : 'Images'} in the result of ${message.name}]`
  return [{ type: 'text', text: label }, ...images.map((part) => userPart(part, target))]
}
