import type { SchemaIssue } from '../standard-schema.ts'

/** A JSON Schema that cannot be honoured as written; `issues` say where and why, with paths into the schema. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly issues: readonly SchemaIssue[]

  constructor(issues: readonly SchemaIssue[]) {
    super(`cannot use this JSON Schema: ${issues.map(describeIssue).join('; ')}`)
    this.issues = issues
  }
}

function describeIssue({ path = [], message }: SchemaIssue): string {
  const pointer = path.map((key) => `/${String(typeof key === 'object' ? key.key : key)}`).join('')
  return pointer === '' ? message : `at ${pointer.slice(0, 200)}: ${message}`
}
