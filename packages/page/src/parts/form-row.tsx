import type { ReactElement, ReactNode } from 'react'

/** A card of rows. */
export function FormRows({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className="card form-rows">{children}</div>
}

export interface FormRowProps {
  readonly title: ReactNode
  /** A line below the title. */
  readonly about?: ReactNode
  /** Before the title: a dot, a mark. */
  readonly mark?: ReactNode
  /** The controls, at the end of the row. */
  readonly children?: ReactNode
}

/** One thing to set or to decide: its title, a line about it, its controls. */
export function FormRow({ title, about, mark, children }: FormRowProps): ReactElement {
  return (
    <div className="form-row">
      {mark}
      <div className="form-row-words">
        <div className="form-row-title">{title}</div>
        {about !== undefined && <div className="form-row-about">{about}</div>}
      </div>
      {children}
    </div>
  )
}
