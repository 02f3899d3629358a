import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitURLResult,
} from '../../schema/input/elicitation.ts'
import type { InputRequiredResult, Root } from '../../schema/input/input.ts'
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
} from '../../schema/input/sampling.ts'
import type { InferOutput, Schema } from '../../schema/standard-schema.ts'

/** An input request, made by `inputRequired.elicit` and the like; `T` is the type of its answer. */
export type InputRequest<T> = { readonly '~answer'?: T } & (
  | {
      /** Asks the user for data, or to open a link. */
      readonly method: 'elicitation/create'
      /** The form or the link. */
      readonly params: ElicitRequestFormParams | ElicitRequestURLParams
    }
  | {
      /** Asks the client's model for an answer. */
      readonly method: 'sampling/createMessage'
      /** The messages for the model, and what is expected of it. */
      readonly params: CreateMessageRequestParams
    }
  | {
      /** Asks for the client's roots. */
      readonly method: 'roots/list'
    }
)

/** The input that a handler needs before it can continue. */
export interface Need {
  /** The requests, by keys of your choice; the responses come back under them. */
  readonly inputRequests?: { readonly [key: string]: InputRequest<unknown> } | undefined
  /** Comes back as `context.requestState`; it travels sealed, and must survive JSON. */
  readonly requestState?: unknown
}

/** Returned by a handler to request input and be called again. */
export class InputRequired {
  readonly '~inputRequired' = true
  /** The requests, by the keys that the responses come back under. */
  readonly requests: { readonly [key: string]: InputRequest<unknown> }
  /** The value that comes back as `context.requestState`. */
  readonly state: unknown

  /** Use `inputRequired()` instead. */
  constructor(requests: { readonly [key: string]: InputRequest<unknown> }, state: unknown) {
    this.requests = requests
    this.state = state
  }
}

/** The end of a round that is not the last: the input requests, and the state to continue with. */
export class RoundEnd {
  readonly result: InputRequiredResult

  constructor(result: InputRequiredResult) {
    this.result = result
  }
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
export const inputRequired: InputRequiredFunction = /* @__PURE__ */ Object.assign(
  ({ inputRequests = {}, requestState }: Need) => {
    if (Object.keys(inputRequests).length === 0 && requestState === undefined) {
      throw new TypeError('inputRequired: name inputRequests, a requestState, or both')
    }
    return new InputRequired(inputRequests, requestState)
  },
  {
    elicit: (params: ElicitRequestFormParams | ElicitRequestURLParams) =>
      ({ method: 'elicitation/create', params }) as const,
    sample: (params: CreateMessageRequestParams) =>
      ({ method: 'sampling/createMessage', params }) as const,
    listRoots: () => ({ method: 'roots/list' }) as const,
  },
)
