import type { SchemaIssue } from '../standard-schema.ts'

/** A JSON Schema that cannot be honoured as written; `issues` say where and why, with paths into the schema. */
export class SchemaError extends Error {
  /** Always `SchemaError`. */
  override readonly name = 'SchemaError'
  /** The problems, with paths into the schema. */
  readonly issues: readonly SchemaIssue[]

  /** The message is made from the issues. */
  constructor(issues: readonly SchemaIssue[]) {
    super(`cannot use this JSON Schema: ${issues.map(describeIssue).join('; ')}`)
    this.issues = issues
  }
}

function describeIssue({ path = [], message }: SchemaIssue): string {
  const pointer = path.map((key) => `/${String(typeof key === 'object' ? key.key : key)}`).join('')
  return pointer === '' ? message : `at ${pointer.slice(0, 200)}: ${message}`
}
