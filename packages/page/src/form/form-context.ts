import type { Change, FormIssue, Path } from '@parley/foundation/forms'
import { createContext, useContext } from 'react'

import type { Suggest } from './schema-form.tsx'

/** What every field of one form shares. */
export interface FormValue {
  /** Makes the ids of this form's elements unlike those of another. */
  readonly id: string
  readonly readOnly: boolean
  readonly suggest: Suggest | undefined
  /** What to say of a form without fields. */
  readonly none: string
  /** By pointer. */
  readonly issues: ReadonlyMap<string, readonly FormIssue[]>
  /** Fields the user has been in; before that a missing value is no mistake yet. */
  readonly touched: ReadonlySet<string>
  /** Nothing was sent yet, so nothing is called wrong. */
  readonly isQuiet: boolean
  /** Somebody tried to send it: now what is missing is a mistake everywhere. */
  readonly isTried: boolean
  readonly change: (path: Path, change: Change) => void
  /** Remembers which shape of a union the user wants, and sets a value of it. */
  readonly choose: (pointer: string, variant: number) => void
  readonly touch: (pointer: string) => void
}

/** The form around a field. */
export const FormContext = createContext<FormValue | undefined>(undefined)

/** The form a field stands in. */
export function useForm(): FormValue {
  const form = useContext(FormContext)
  if (!form) throw new Error('a field must be inside a form')
  return form
}
