import type { SchemaIssue } from '@parley/mcp'

import { CliError } from '../exit.ts'

/** A value that a schema refuses, told by its first fault. */
export function invalid(what: string, issues: readonly SchemaIssue[]): CliError {
  const [first] = issues
  const where = first?.path?.length ? `${first.path.map(keyOf).join('.')}: ` : ''
  return new CliError('invalid', `${what}: ${where}${first?.message ?? ''}`, {
    details: { issues },
  })
}

function keyOf(part: unknown): string {
  return typeof part === 'object' && part !== null && 'key' in part
    ? String(part.key)
    : String(part)
}
