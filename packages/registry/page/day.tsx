import type { ReactElement } from 'react'

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** A day, the same for everybody; the moment stands in its title. */
export function Day({ at }: { readonly at: number }): ReactElement {
  const moment = new Date(at).toISOString()
  return (
    <time dateTime={moment} title={moment}>
      {format.format(at)}
    </time>
  )
}
