import type { InputRequiredResult } from '../../schema/input/input.ts'
import type { InputRequest } from './input-required.ts'

/** What a handler returns to say: ask this, and call me again. */
export class InputRequired {
  readonly '~inputRequired' = true
  readonly requests: { readonly [key: string]: InputRequest<unknown> }
  readonly state: unknown

  constructor(requests: { readonly [key: string]: InputRequest<unknown> }, state: unknown) {
    this.requests = requests
    this.state = state
  }
}

/** How a round ends that is not the last: what to ask, and where to go on. */
export class RoundEnd {
  readonly result: InputRequiredResult

  constructor(result: InputRequiredResult) {
    this.result = result
  }
}
