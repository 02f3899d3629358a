import { Box, Static, Text, type TextProps } from 'ink'
import { createElement, useSyncExternalStore, type ReactElement } from 'react'

import { layOut, type Size } from './layout.ts'
import type { Line, Look } from './line.ts'
import type { TerminalSession } from './session.ts'

/** What is drawn, and how. */
export interface ViewProps {
  readonly session: TerminalSession
  /** Changes with the window. */
  readonly size: Size
  readonly isColored: boolean
}

/** The session on the terminal: what was written for good, and below it what changes. */
export function View({ session, size, isColored }: ViewProps): ReactElement {
  const state = useSyncExternalStore(session.listen, () => session.state)
  const draw = (one: Line, key: number) => createElement(LineText, { key, line: one, isColored })
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Static<Line>, { items: state.written as Line[], children: draw }), // it reads them only
    createElement(Box, { flexDirection: 'column' }, ...layOut(state, size).map(draw)),
  )
}

function LineText({
  line,
  isColored,
}: {
  readonly line: Line
  readonly isColored: boolean
}): ReactElement {
  const isEmpty = line.every(({ text }) => text === '')
  return createElement(
    Text,
    {},
    isEmpty
      ? ' ' // an empty one would take no line
      : line.map(({ text, look }, key) =>
          createElement(Text, { key, ...styleOf(look, isColored) }, mark(text, look, isColored)),
        ),
  )
}

/** Where there are no colours the cursor is a letter of its own. */
function mark(text: string, look: Look, isColored: boolean): string {
  return look === 'cursor' && !isColored ? `▏${text}` : text
}

function styleOf(look: Look, isColored: boolean): TextProps {
  return isColored ? styles[look] : {}
}

const styles: { readonly [look in Look]: TextProps } = {
  plain: {},
  dim: { dimColor: true },
  bold: { bold: true },
  good: { color: 'green' },
  warning: { color: 'yellow' },
  bad: { color: 'red' },
  accent: { color: 'cyan' },
  cursor: { inverse: true },
}
