import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitURLResult,
} from '../schema/elicitation.ts'
import type { Root } from '../schema/roots.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from '../schema/sampling.ts'
import type { InferOutput, Schema } from '../schema/standard-schema.ts'
import { askForm, askLink, askModel, askRoots, type Question } from './question.ts'

/** Something to ask, made by `inputRequired.elicit` and its kin; `T` is what the answer will be. */
export interface InputRequest<out T> {
  readonly '~answer'?: T
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
}

/** What a handler returns to say: ask this, and call me again. */
export class InputRequired {
  readonly '~inputRequired' = true
  readonly questions: { readonly [key: string]: Question }
  readonly state: unknown

  constructor(questions: { readonly [key: string]: Question }, state: unknown) {
    this.questions = questions
    this.state = state
  }
}

/** What is needed before the work can go on. */
export interface Need {
  readonly inputRequests?: { readonly [key: string]: InputRequest<unknown> } | undefined
  /** Comes back as `context.requestState`; it travels sealed, and must survive JSON. */
  readonly requestState?: unknown
}

interface InputRequiredFunction {
  (need: Need): InputRequired
  elicit<S extends Schema>(
    params: ElicitRequestFormParams<S>,
  ): InputRequest<ElicitResult<InferOutput<S>>>
  elicit(params: ElicitRequestURLParams): InputRequest<ElicitURLResult>
  /** @deprecated since 2026-07-28 (SEP-2577) */
  sample(params: CreateMessageRequestParams): InputRequest<CreateMessageResult>
  /** @deprecated since 2026-07-28 (SEP-2577) */
  listRoots(): InputRequest<readonly Root[]>
}

/** Ends this round by saying what is needed; the handler is called again with the answers. */
export const inputRequired: InputRequiredFunction = Object.assign(
  ({ inputRequests = {}, requestState }: Need) => {
    if (Object.keys(inputRequests).length === 0 && requestState === undefined) {
      throw new TypeError('inputRequired: name inputRequests, a requestState, or both')
    }
    return new InputRequired(inputRequests as { [key: string]: Question }, requestState) // made by the functions below
  },
  {
    elicit: (params: ElicitRequestFormParams | ElicitRequestURLParams) =>
      params.mode === 'url' ? askLink(params) : askForm(params),
    sample: askModel,
    listRoots: askRoots,
  },
)
