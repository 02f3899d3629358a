/** A request from a server that waits for an answer. */
export interface QuestionView {
  readonly id: string
  readonly server: string
  readonly kind: 'sampling' | 'elicitation' | 'roots'
  /** As the server sent them. */
  readonly params: { readonly [name: string]: unknown }
  /** The call that led here, where that is known. */
  readonly operation?: string | undefined
  readonly name?: string | undefined
  /** Questions of one round of one call share it. */
  readonly round?: string | undefined
  /** Where the server asked for a task: it does not wait, and fetches the answer. */
  readonly taskId?: string | undefined
  readonly at: number
  /** Which rule would answer, or has. */
  readonly rule?: string | undefined
  readonly state: 'open' | 'answered' | 'void'
}

/** How a question ends. */
export type Answer =
  | { readonly action: 'accept'; readonly content?: unknown }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
  /** Sampling: the message the model would have given. */
  | { readonly action: 'reply'; readonly result: { readonly [name: string]: unknown } }
  /** Sampling: ask the configured model endpoint, and answer with what it says. */
  | { readonly action: 'model' }

/** Answers questions without a person. The first that matches wins. */
export interface Rule {
  readonly id: string
  readonly kind: QuestionView['kind']
  /** Only this server; all without it. */
  readonly server?: string | undefined
  /** Only questions whose message contains this. */
  readonly contains?: string | undefined
  /** Texts in it may hold `{{message}}`, `{{server}}`, `{{name}}` and `{{prompt}}`. */
  readonly answer: Answer
  readonly enabled: boolean
}

/** An endpoint that speaks the common chat-completions form. The key is never sent to the page. */
export interface ModelEndpoint {
  readonly url: string
  readonly model: string
  readonly hasKey: boolean
}
