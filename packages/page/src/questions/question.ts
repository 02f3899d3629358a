/** What a server asks of the person in front of the page. */
export interface InputRequestForm {
  readonly id: string
  readonly server: string
  readonly kind: 'sampling' | 'elicitation' | 'roots'
  /** As the server sent them. */
  readonly params: { readonly [name: string]: unknown }
}

/** How a question ends. */
export type Answer =
  | { readonly action: 'accept'; readonly content?: unknown }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
  /** Sampling: the message the model would have given. */
  | { readonly action: 'reply'; readonly result: { readonly [name: string]: unknown } }
  /** Sampling: ask the configured model, and answer with what it says. */
  | { readonly action: 'model' }
