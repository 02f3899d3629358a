import { both } from '../check-unions.ts'
import * as s from '../check.ts'
import { inputRequests, type InputRequiredResult } from './input.ts'

/** A result that asks; it asks for something, or says at least where to go on. */
export const inputRequiredResult: s.Check<InputRequiredResult> = both(
  s.object<InputRequiredResult>({
    resultType: s.literal('input_required'),
    inputRequests: s.optional(inputRequests),
    requestState: s.optional(s.string),
  }),
  (value) => {
    const { inputRequests: asked, requestState } = value as InputRequiredResult // the first check passed
    return asked === undefined && requestState === undefined
      ? { path: ['inputRequests'], expected: 'an object, or a requestState' }
      : undefined
  },
)
