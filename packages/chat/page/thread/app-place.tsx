import type { ReactElement } from 'react'

import type { CallView } from './read-thread.ts'

/** Where the app that belongs to a tool is shown, in the card of its call. Tools without one show nothing here. */
export function AppPlace(_: { readonly call: CallView }): ReactElement | null {
  return null
}
