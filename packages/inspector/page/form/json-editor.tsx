import type { JsonValue } from '@parley/mcp'

export interface JsonEditorProps {
  /** `undefined` is shown as an empty text. */
  readonly value: JsonValue | undefined
  /** Called for each text that is JSON; what is not stays in the editor and is marked. */
  readonly onChange: (value: JsonValue | undefined) => void
  readonly label: string
  readonly readOnly?: boolean | undefined
  /** Problems of the value with this JSON Schema are marked where they are. */
  readonly schema?: unknown
}

/** A JSON value as text that can be edited. */
export function JsonEditor({ value, onChange, label, readOnly }: JsonEditorProps) {
  return (
    <textarea
      aria-label={label}
      readOnly={readOnly}
      value={JSON.stringify(value, undefined, 2) ?? ''}
      onChange={(event) => {
        try {
          onChange(JSON.parse(event.currentTarget.value))
        } catch {
          // Not JSON yet.
        }
      }}
    />
  )
}
