import * as s from './check.ts'
import { contentBlock, type ContentBlock } from './content.ts'
import type { InputResponseParams } from './input/input.ts'
import { icon, role, type Icon, type MetaObject, type Role, optionalMeta } from './metadata.ts'
import { pageShape, type Listed } from './pagination.ts'
import type { RequestMeta } from './progress.ts'

/** One value a prompt is filled in with. */
export interface PromptArgument {
  /** The key under which the value is sent. */
  readonly name: string
  /** For people. */
  readonly title?: string
  /** A hint on how to fill it in, for people. */
  readonly description?: string
  /** @defaultValue false */
  readonly required?: boolean
}

/** A prompt as `prompts/list` describes it. */
export interface Prompt {
  /** The name for `prompts/get`. */
  readonly name: string
  /** For people. */
  readonly title?: string
  /** The purpose, for people. */
  readonly description?: string
  /** The values that it takes. @defaultValue none */
  readonly arguments?: readonly PromptArgument[]
  /** Icons to show beside the name. */
  readonly icons?: readonly Icon[]
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** One message of a filled-in prompt. */
export interface PromptMessage {
  /** The role of the speaker. */
  readonly role: Role
  /** The message: text, an image, audio or a resource. */
  readonly content: ContentBlock
}

/** One page of prompts. */
export type ListPromptsResult = Listed<'prompts', Prompt>

/** Params of `prompts/get`. */
export interface GetPromptRequestParams extends InputResponseParams {
  readonly name: string
  readonly arguments?: { readonly [name: string]: string }
  readonly _meta?: RequestMeta
}

/** A prompt filled in: the conversation to begin with. */
export interface GetPromptResult {
  /** The purpose of the prompt, for people. */
  readonly description?: string
  /** The messages, oldest first. */
  readonly messages: readonly PromptMessage[]
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

const promptArgument = s.object<PromptArgument>({
  name: s.string,
  title: s.optional(s.string),
  description: s.optional(s.string),
  required: s.optional(s.boolean),
})

const prompt = s.object<Prompt>({
  name: s.string,
  title: s.optional(s.string),
  description: s.optional(s.string),
  arguments: s.optional(s.array(promptArgument)),
  icons: s.optional(s.array(icon)),
  _meta: optionalMeta,
})

const promptMessage = s.object<PromptMessage>({ role, content: contentBlock })

/** Result of `prompts/list`. */
export const listPromptsResult = s.object<ListPromptsResult>(
  s.fields({ prompts: s.array(prompt) }, pageShape),
)

/** Result of `prompts/get`. */
export const getPromptResult = s.object<GetPromptResult>({
  description: s.optional(s.string),
  messages: s.array(promptMessage),
  _meta: optionalMeta,
})
