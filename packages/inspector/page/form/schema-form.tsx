import type { JsonValue } from '@parley/mcp'

import { JsonEditor } from './json-editor.tsx'

/** Gives values to choose from while a text field is typed in; `path` leads to the field. */
export type Suggest = (
  path: readonly (string | number)[],
  text: string,
) => Promise<readonly string[]>

export interface SchemaFormProps {
  /** A JSON Schema as a server sent it. */
  readonly schema: unknown
  /** `undefined` is an absent value, which differs from `null`. */
  readonly value: JsonValue | undefined
  readonly onChange: (value: JsonValue | undefined) => void
  /** The name of the whole form, for those who cannot see where it stands. */
  readonly label: string
  readonly readOnly?: boolean | undefined
  readonly suggest?: Suggest | undefined
}

/** Fields for a JSON Schema, and JSON where fields cannot say it. */
export function SchemaForm({ schema, value, onChange, label, readOnly }: SchemaFormProps) {
  return (
    <JsonEditor
      value={value}
      onChange={onChange}
      label={label}
      schema={schema}
      readOnly={readOnly}
    />
  )
}
