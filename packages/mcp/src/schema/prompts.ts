import type { ContentBlock } from './content.ts'
import type { Icon, MetaObject, Role } from './metadata.ts'
import type { Listed } from './pagination.ts'
import type { RequestMeta } from './progress.ts'

/** One value a prompt is filled in with. */
export interface PromptArgument {
  readonly name: string
  /** For people. */
  readonly title?: string
  readonly description?: string
  /** @defaultValue false */
  readonly required?: boolean
}

/** A prompt as `prompts/list` describes it. */
export interface Prompt {
  /** What `prompts/get` names. */
  readonly name: string
  /** For people. */
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  readonly icons?: readonly Icon[]
  readonly _meta?: MetaObject
}

/** One message of a filled-in prompt. */
export interface PromptMessage {
  readonly role: Role
  readonly content: ContentBlock
}

/** One page of prompts. */
export type ListPromptsResult = Listed<'prompts', Prompt>

/** What `prompts/get` asks for. */
export interface GetPromptRequestParams {
  readonly name: string
  readonly arguments?: { readonly [name: string]: string }
  readonly _meta?: RequestMeta
}

/** A prompt filled in: the conversation to begin with. */
export interface GetPromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: MetaObject
}
