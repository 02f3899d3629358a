import { useMediaQuery } from '@mantine/hooks'
import type { ReactElement, ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'

/** Below this the columns stand one after the other. */
const narrowQuery = '(max-width: 900px)'

/** Whether there is room for one column only. */
export function useIsNarrow(): boolean {
  return useMediaQuery(narrowQuery, false, { getInitialValueInEffect: false })
}

/** Below this there is room for two columns. */
const middleQuery = '(max-width: 1199px)'

/** Whether there is room for two columns only. */
export function useIsMiddle(): boolean {
  return useMediaQuery(middleQuery, false, { getInitialValueInEffect: false })
}

/** One column: what it is called, how wide at first, how wide at least. */
export interface Column {
  readonly id: string
  readonly label: string
  readonly node: ReactNode
  readonly size: string
  readonly least: number
}

/** Columns whose widths the user sets and keeps; `F6` goes from one to the next. */
export function Columns({
  id,
  columns,
}: {
  readonly id: string
  readonly columns: readonly Column[]
}): ReactElement {
  const layout = useDefaultLayout({
    id: `parley-${id}`,
    panelIds: columns.map((column) => column.id),
    storage: localStorage,
  })
  return (
    <Group className="columns" orientation="horizontal" {...layout}>
      {columns.flatMap((column, index) => [
        ...(index === 0
          ? []
          : [
              <Separator
                key={`before-${column.id}`}
                className="separator"
                aria-label={`Width of ${column.label.toLowerCase()}`}
              />,
            ]),
        <Panel
          key={column.id}
          id={column.id}
          defaultSize={column.size}
          minSize={column.least}
          className="column-panel"
        >
          <section className="column" aria-label={column.label} data-pane tabIndex={-1}>
            {column.node}
          </section>
        </Panel>,
      ])}
    </Group>
  )
}
