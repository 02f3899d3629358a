import './form.css'
import {
  describeForm,
  edit,
  issuesOf,
  issuesWithin,
  type FormIssue,
} from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import { useEffect, useId, useMemo, useRef, useState, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { Field } from './fields/field.tsx'
import { FormContext, type FormValue } from './form-context.ts'
import { leadToError } from './lead-to-error.ts'

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
  /** What to say when there is nothing to fill in. @defaultValue 'Nothing to fill in.' */
  readonly none?: string | undefined
  /** 0: nothing was sent yet, and nothing is called wrong. Each new number above it marks all that is wrong, and leads to the first of it. */
  readonly attempt?: number | undefined
}

/** Fields for a JSON Schema, and JSON where fields cannot say it. */
export function SchemaForm(props: SchemaFormProps): ReactElement {
  const { schema, value, onChange, label, readOnly = false, suggest } = props
  const { attempt = 0 } = props
  const isQuiet = props.attempt === 0
  const { none = 'Nothing to fill in.' } = props
  const id = useId()
  const [chosen, setChosen] = useState<ReadonlyMap<string, number>>(new Map())
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const node = useMemo(
    () => describeForm(schema, value, { label, chosen }),
    [schema, value, label, chosen],
  )
  const { issues: found, problem } = useMemo(() => issuesOf(schema, value), [schema, value])
  const issues = useMemo(() => issuesWithin(node, found), [node, found])
  const byPointer = useMemo(() => groupIssues(issues), [issues])
  // Several changes can come before the next drawing; each starts from the one before.
  const newest = useRef(value)
  newest.current = value
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempt > 0) leadToError(group.current)
  }, [attempt])

  const form: FormValue = {
    id,
    readOnly,
    suggest,
    none,
    issues: byPointer,
    touched,
    isTried: attempt > 0,
    isQuiet,
    change(path, change) {
      newest.current = edit(newest.current, path, change)
      onChange(newest.current)
    },
    choose: (pointer, variant) => setChosen((before) => new Map([...before, [pointer, variant]])),
    touch(pointer) {
      if (!touched.has(pointer)) setTouched((before) => new Set([...before, pointer]))
    },
  }
  return (
    <FormContext value={form}>
      <div className="form" role="group" aria-label={label} ref={group}>
        <Field node={node} frame="none" />
        <FormSummary issues={isQuiet ? [] : issues} problem={problem} />
      </div>
    </FormContext>
  )
}

function FormSummary({
  issues,
  problem,
}: {
  readonly issues: readonly FormIssue[]
  readonly problem: string | undefined
}): ReactElement | undefined {
  if (problem !== undefined) {
    return (
      <div className="form-summary" data-tone="warning">
        <Icon name="alert" size={14} /> The schema cannot be checked: {problem}
      </div>
    )
  }
  if (issues.length === 0) return undefined
  const where = issues.map(
    ({ pointer, message }) => `${pointer === '' ? 'all' : pointer} ${message}`,
  )
  return (
    <details className="form-summary">
      <summary>
        {issues.length === 1 ? 'One thing' : `${issues.length} things`} the schema would refuse
      </summary>
      <ul>
        {where.slice(0, 20).map((text) => (
          <li key={text} className="mono wrap">
            {text}
          </li>
        ))}
      </ul>
    </details>
  )
}

function groupIssues(issues: readonly FormIssue[]): ReadonlyMap<string, readonly FormIssue[]> {
  const groups = new Map<string, FormIssue[]>()
  for (const issue of issues) {
    groups.set(issue.pointer, [...(groups.get(issue.pointer) ?? []), issue])
  }
  return groups
}
