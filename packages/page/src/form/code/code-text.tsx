import { useEffect, useState, type ReactElement } from 'react'

import { createLoadable, useLoadable } from '../../parts/loadable.ts'
import type { CodeMirrorOptions } from './use-code-mirror.ts'

/** The editor is a third of the page, and many never open one. */
const editor = createLoadable(async () => (await import('./code-editor.tsx')).CodeEditor)

/** A text in the editor; until that is here as it stands, and where it cannot be had in a plain field. */
export function CodeText(props: CodeMirrorOptions): ReactElement {
  const loading = useLoadable(editor)
  switch (loading.state) {
    case 'ready':
      return <loading.value {...props} />
    case 'loading':
      return <pre className="json-editor-host json-editor-still">{props.text ?? props.initial}</pre>
    case 'failed':
      return <PlainText {...props} retry={loading.retry} />
  }
}

function PlainText(props: CodeMirrorOptions & { readonly retry: () => void }): ReactElement {
  const { text, initial, label, describedBy, isReadOnly, onText, retry } = props
  const [typed, setTyped] = useState(initial)
  useEffect(() => {
    if (text !== undefined) setTyped(text)
  }, [text])
  return (
    <div className="json-editor-host">
      <textarea
        className="json-editor-plain"
        aria-label={label}
        aria-describedby={describedBy}
        readOnly={isReadOnly}
        rows={8}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onText(event.currentTarget.value)
        }}
      />
      <div className="quiet">
        The editor could not be loaded. You can use this field instead.{' '}
        <button type="button" className="link-button" onClick={retry}>
          Try again
        </button>
      </div>
    </div>
  )
}
