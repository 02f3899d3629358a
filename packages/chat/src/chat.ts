import type { TraceRecorder } from '@parley/foundation/trace'
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

  /** What crossed the connections of servers, the newest of it. */
  readonly trace: TraceRecorder

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
  /** Names the question; pass it on with the answer. */
  readonly id: string
  /** The id of the conversation that the question belongs to. */
  readonly conversation?: string | undefined
  /** When it was asked, in milliseconds since the epoch. */
  readonly requestedAt: number
} & (
  | {
      /** Whether the model may make some calls. */
      readonly kind: 'consent'
      /** The calls, each with what is known about it. */
      readonly calls: readonly ConsentQuestion[]
    }
  | {
      /** A server asks the person for data, or to open a link. */
      readonly kind: 'elicitation'
      /** What the server asks. */
      readonly question: ServerQuestion
    }
  | {
      /** A server asks for an answer of the model. */
      readonly kind: 'sampling'
      /** The request as it would be sent to the model. */
      readonly review: SamplingReview
    }
  | {
      /** The model's answer to a server's request, before the server gets it. */
      readonly kind: 'sampling-answer'
      /** The answer, and who asked for it. */
      readonly answer: SamplingAnswer
    }
  | {
      /** A provider of models needs an API key. */
      readonly kind: 'key'
      /** Which provider asks, and why. */
      readonly request: KeyRequest
    }
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
  readonly isRejected: boolean
  /** Whether it is there at the next start. */
  readonly isStored: boolean
}

/** What a person says to a question, of the same kind. */
export type ChatAnswer =
  | {
      /** Answers a question about calls. */
      readonly kind: 'consent'
      /** One answer for each call of the question, in the same order. */
      readonly answers: readonly ConsentAnswer[]
    }
  | {
      /** Answers a server's question to the person. */
      readonly kind: 'elicitation'
      /** What the person did, with what they filled in. */
      readonly answer: QuestionAnswer
    }
  | {
      /** Answers a server's request to the model. */
      readonly kind: 'sampling'
      /** Whether it is sent to the model, and what the person changed. */
      readonly decision: SamplingDecision
    }
  | {
      /** Answers whether a server gets the model's answer. */
      readonly kind: 'sampling-answer'
      /** Whether the server gets it, and what the person changed. */
      readonly decision: AnswerDecision
    }
  /** Without a key the model is not asked. */
  | {
      readonly kind: 'key'
      /** The key; without one, the request for it is declined. */
      readonly key?: string | undefined
    }

/** What listeners hear. */
export type ChatEvent =
  | {
      /** Something happened in a turn of a conversation. */
      readonly type: 'turn'
      /** The id of the conversation. */
      readonly conversation: string
      /** What happened. */
      readonly event: TurnEvent
    }
  | {
      /** The list of open questions has changed. */
      readonly type: 'questions'
      /** All questions that are open now. */
      readonly questions: readonly ChatQuestion[]
    }
  | {
      /** A conversation was added, changed or removed. */
      readonly type: 'conversations'
      /** The conversation as lists show it, or the id of the one that was removed. */
      readonly changed: ConversationSummary | { readonly removed: string }
    }
  | {
      /** The servers, or their states, have changed. */
      readonly type: 'servers'
    }
  | {
      /** A resource that was attached has changed: `host.attached` says how. */
      readonly type: 'attached'
      /** The server of the resource. */
      readonly server: string
      /** The URI of the resource. */
      readonly uri: string
    }
