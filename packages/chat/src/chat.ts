import type {
  AnswerDecision,
  ConsentAnswer,
  ConsentQuestion,
  ContextOptions,
  Host,
  QuestionAnswer,
  RememberingConsent,
  SamplingAnswer,
  SamplingDecision,
  SamplingReview,
  ServerQuestion,
  TurnEvent,
  TurnInput,
} from '@parley/host'

import type { ConversationStore, ConversationSummary } from './store/conversation-store.ts'

/** A host, its conversations, and what waits for a person. Page and terminal show it; neither knows the other. */
export interface Chat extends AsyncDisposable {
  /** The servers and the model. */
  readonly host: Host
  /** Where conversations last. */
  readonly conversations: ConversationStore
  /** Models that can be picked, by name; the first is used unless a conversation has its own. */
  readonly models: readonly string[]

  /** Begins a turn and returns at once; what happens is told to listeners. A conversation has one turn at a time. */
  say(conversation: string, input: TurnInput, options?: SayOptions): void
  /** Stops the running turn, if there is one. */
  stop(conversation: string): void
  /** The events of the turn that runs there now, from its beginning, so that who comes late sees all of it. */
  running(conversation: string): readonly TurnEvent[] | undefined

  /** What waits for a person, oldest first. */
  readonly questions: readonly ChatQuestion[]
  /** Each question is answered once; false if it was answered or withdrawn before. */
  answer(id: string, answer: ChatAnswer): boolean

  /** What was answered to questions about calls, beyond one call. */
  readonly permissions: Pick<RememberingConsent, 'answers' | 'revoke'>

  /** Returns what stops listening. */
  listen(listener: (event: ChatEvent) => void): () => void
}

/** How a turn differs from the others of its conversation. */
export interface SayOptions {
  /** Which tools the model is told of. @defaultValue as the host was told */
  readonly context?: ContextOptions['mode']
}

/** Something a person has to decide, with the conversation it belongs to if one is known. */
export type ChatQuestion = {
  readonly id: string
  readonly conversation?: string | undefined
  readonly askedAt: number
} & (
  | { readonly kind: 'consent'; readonly calls: readonly ConsentQuestion[] }
  | { readonly kind: 'elicitation'; readonly question: ServerQuestion }
  | { readonly kind: 'sampling'; readonly review: SamplingReview }
  | { readonly kind: 'sampling-answer'; readonly answer: SamplingAnswer }
  | { readonly kind: 'key'; readonly request: KeyRequest }
)

/** A model that needs a key. */
export interface KeyRequest {
  /** The model, by the name it was chosen by. */
  readonly model: string
  /** The variable that could hold it. */
  readonly variable: string
  /** The host that it is sent to. */
  readonly host: string
  /** The provider refused the key that was used before. */
  readonly isRefused: boolean
  /** Whether it is there at the next start. */
  readonly isKept: boolean
}

/** What a person says to a question, of the same kind. */
export type ChatAnswer =
  | { readonly kind: 'consent'; readonly answers: readonly ConsentAnswer[] }
  | { readonly kind: 'elicitation'; readonly answer: QuestionAnswer }
  | { readonly kind: 'sampling'; readonly decision: SamplingDecision }
  | { readonly kind: 'sampling-answer'; readonly decision: AnswerDecision }
  /** Without a key the model is not asked. */
  | { readonly kind: 'key'; readonly key?: string | undefined }

/** What listeners hear. */
export type ChatEvent =
  | { readonly type: 'turn'; readonly conversation: string; readonly event: TurnEvent }
  | { readonly type: 'questions'; readonly questions: readonly ChatQuestion[] }
  | {
      readonly type: 'conversations'
      readonly changed: ConversationSummary | { readonly removed: string }
    }
  | { readonly type: 'servers' }
