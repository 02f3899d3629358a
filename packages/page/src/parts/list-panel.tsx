import { Fragment, type ReactElement } from 'react'

import { BackButton } from './back-button.tsx'
import { Columns, useIsMiddle, useIsNarrow, type Column } from './columns.tsx'

export interface ListPanelProps {
  /** What the list holds, in lower case: `prompts`. */
  readonly kind: string
  readonly list: Column
  /** What is shown of the item that is picked, one column or several. */
  readonly details: readonly Column[]
  readonly isPicked: boolean
  /** Shows the list again where there is room for one column only. */
  readonly onBack: () => void
}

/** A list beside what is picked in it; where there is room for one column only, one or the other. */
export function ListPanel(props: ListPanelProps): ReactElement {
  const { kind, list, details, isPicked, onBack } = props
  const isNarrow = useIsNarrow()
  const isMiddle = useIsMiddle()
  const [first, ...others] = details
  if (!isNarrow && isMiddle && first !== undefined && others.length > 0) {
    const node = (
      <div className="narrow-detail">
        {details.map((column) => (
          <Fragment key={column.id}>{column.node}</Fragment>
        ))}
      </div>
    )
    const beside = { ...list, size: '38%' }
    return <Columns id={`${kind}-two`} columns={[beside, { ...first, size: '62%', node }]} />
  }
  if (!isNarrow) return <Columns id={kind} columns={[list, ...details]} />
  const label = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  return (
    <section className="column" data-pane aria-label={label} tabIndex={-1}>
      {isPicked ? (
        <div className="narrow-detail">
          <BackButton label={`All ${kind}`} onClick={onBack} />
          {details.map(({ id, node }) => (
            <Fragment key={id}>{node}</Fragment>
          ))}
        </div>
      ) : (
        list.node
      )}
    </section>
  )
}
