import { useId, type ReactElement, type ReactNode } from 'react'

export interface CardProps {
  readonly title: string
  /** Beside the title. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A part of an entry. */
export function Card({ title, action, children }: CardProps): ReactElement {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        <span className="grow" />
        {action}
      </div>
      <div className="card-body stack">{children}</div>
    </section>
  )
}
