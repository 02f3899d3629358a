import type { JsonValue } from '@parley/mcp'
import { useState, type ReactElement } from 'react'

import { JsonEditor } from '../form/code/json-editor.tsx'
import { Note } from '../parts/problem.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import type { AnswerProps } from './answer-props.ts'

export interface RootsAnswerProps extends AnswerProps {
  /** Where the answer begins. */
  readonly roots?: readonly string[] | undefined
}

/** The folders a server gets to know of. */
export function RootsAnswer({ isBusy, onAnswer, roots = [] }: RootsAnswerProps): ReactElement {
  const [value, setValue] = useState<JsonValue | undefined>({
    roots: roots.map((uri) => ({
      uri,
      name: uri.split('/').findLast(Boolean) ?? uri,
    })),
  })
  return (
    <>
      <div className="column-scroll">
        <Note tone="info" title="The server asks for your roots">
          Roots are information only: they do not restrict what the server can reach. Decline to
          send none.
        </Note>
        <JsonEditor value={value} onChange={setValue} label="Roots" />
      </div>
      <AnswerButtons
        acceptLabel="Send these"
        isBusy={isBusy}
        onAnswer={onAnswer}
        onAccept={() => onAnswer({ action: 'accept', content: value })}
      />
    </>
  )
}
