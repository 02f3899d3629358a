import { json } from '@codemirror/lang-json'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import { useEffect, useRef, type RefObject } from 'react'

import { jsonHighlight } from './json-highlight.ts'

export interface CodeMirrorOptions {
  /** Text to show from now on; undefined leaves what is there. */
  readonly text: string | undefined
  readonly initial: string
  readonly label: string
  readonly describedBy: string
  readonly isReadOnly: boolean
  readonly isDark: boolean
  /** Called for what the user types, not for what was set. */
  readonly onText: (text: string) => void
}

/** An editor in an element, made once and kept in step. */
export function useCodeMirror(
  host: RefObject<HTMLElement | null>,
  options: CodeMirrorOptions,
): void {
  const { text, label, describedBy, isReadOnly, isDark } = options
  const view = useRef<EditorView>(undefined)
  const isSetting = useRef(false)
  const newest = useRef(options)
  newest.current = options
  const looks = useRef(new Compartment())

  useEffect(() => {
    const parent = host.current
    if (!parent) return undefined
    const { initial } = newest.current
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: initial,
        extensions: [
          basicSetup,
          json(),
          EditorView.lineWrapping,
          looks.current.of(lookOf(newest.current)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !isSetting.current) {
              newest.current.onText(update.state.doc.toString())
            }
          }),
        ],
      }),
    })
    view.current = editor
    return () => {
      editor.destroy()
      view.current = undefined
    }
  }, [host])

  useEffect(() => {
    view.current?.dispatch({ effects: looks.current.reconfigure(lookOf(newest.current)) })
  }, [label, describedBy, isReadOnly, isDark])

  useEffect(() => {
    const editor = view.current
    if (!editor || text === undefined || editor.state.doc.toString() === text) return
    isSetting.current = true
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
    isSetting.current = false
  }, [text])
}

function lookOf({ label, describedBy, isReadOnly, isDark }: CodeMirrorOptions): Extension {
  return [
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      tabindex: '0',
    }),
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.theme({}, { dark: isDark }),
    jsonHighlight,
  ]
}
