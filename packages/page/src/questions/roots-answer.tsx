import type { JsonValue } from '@parley/mcp'
import { useState, type ReactElement } from 'react'

import { JsonEditor } from '../form/code/json-editor.tsx'
import { Note } from '../parts/problem.tsx'
import { useStore } from '../store.ts'
import { AnswerButtons } from './answer-buttons.tsx'
import type { AnswerProps } from './question-form.tsx'

/** The folders a server gets to know of; those of its settings to begin with. */
export function RootsAnswer({ question, isBusy, onAnswer }: AnswerProps): ReactElement {
  const server = useStore((store) => store.servers.find(({ name }) => name === question.server))
  const [value, setValue] = useState<JsonValue | undefined>({
    roots: (server?.settings.roots ?? []).map((uri) => ({
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
