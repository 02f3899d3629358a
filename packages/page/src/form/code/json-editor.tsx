import '../form.css'
import { useComputedColorScheme } from '@mantine/core'
import { issuesOf, isSame, parseJson } from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import { useId, useMemo, useRef, useState, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { CodeText } from './code-text.tsx'

export interface JsonEditorProps {
  /** `undefined` is shown as an empty text. */
  readonly value: JsonValue | undefined
  /** Called for each text that is JSON; what is not stays in the editor and is marked. */
  readonly onChange: (value: JsonValue | undefined) => void
  readonly label: string
  readonly readOnly?: boolean | undefined
  /** Problems of the value with this JSON Schema are marked where they are. */
  readonly schema?: unknown
  /** One line high at first, for a field in a form. */
  readonly isSmall?: boolean | undefined
}

/** A JSON value as text that can be edited. The last text that was JSON is the value. */
export function JsonEditor(props: JsonEditorProps): ReactElement {
  const { value, onChange, label, readOnly = false, schema, isSmall = false } = props
  const errorId = useId()
  const scheme = useComputedColorScheme('light')
  const [problem, setProblem] = useState<string>()
  const latest = useRef(value)

  // A value from elsewhere replaces the text, unless the text already says the same.
  const text = useMemo(() => format(value), [value])
  const isOwn = latest.current === value || isSame(latest.current, value)
  const onText = (next: string) => {
    const parsed = parseJson(next)
    setProblem(parsed.fault)
    if (parsed.fault !== undefined) return
    latest.current = parsed.value
    onChange(parsed.value)
  }
  if (!isOwn) {
    latest.current = value
    if (problem !== undefined) setProblem(undefined)
  }
  const { issues } = useMemo(
    () => (schema === undefined ? { issues: [] } : issuesOf(schema, value)),
    [schema, value],
  )
  return (
    <div
      className="json-editor"
      data-small={isSmall || undefined}
      data-invalid={problem !== undefined}
      data-unreadable={problem !== undefined || undefined}
    >
      <CodeText
        text={isOwn ? undefined : text}
        initial={text}
        label={label}
        isReadOnly={readOnly}
        isDark={scheme === 'dark'}
        describedBy={errorId}
        onText={onText}
      />
      <div id={errorId} className="json-editor-faults" aria-live="polite">
        {problem !== undefined && (
          <div className="field-error">
            <Icon name="alert" size={13} /> Not JSON: {problem}. It is not sent like this.
          </div>
        )}
        {problem === undefined &&
          issues.slice(0, 8).map(({ pointer, message }) => (
            <div key={pointer + message} className="field-error">
              <Icon name="alert" size={13} />
              <span>
                <code>{pointer === '' ? '(all)' : pointer}</code> {message}
              </span>
            </div>
          ))}
      </div>
    </div>
  )
}

function format(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 2)
}
