import { useRef, type ReactElement } from 'react'

import { useCodeMirror, type CodeMirrorOptions } from './use-code-mirror.ts'

/** The editor itself. */
export function CodeEditor(props: CodeMirrorOptions): ReactElement {
  const host = useRef<HTMLDivElement>(null)
  useCodeMirror(host, props)
  return <div ref={host} className="json-editor-host" />
}
