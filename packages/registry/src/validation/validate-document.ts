import type { ServerDocument } from '../document/server-document.ts'
import { adviseOn } from './advice.ts'
import { checkDocument } from './document-rules.ts'
import { showPath, type ValidationIssue } from './issue.ts'
import { replaceParts } from './neutral-parts.ts'
import type { PackageBases } from './package-rules.ts'
import { findShapeProblems } from './server-schema.ts'

/** A document that may be published, or what keeps it from that; issues either way. */
export type Validation =
  | {
      /** The document may be published. */
      readonly isValid: true
      /** The document, as it was checked. */
      readonly document: ServerDocument
      /** Warnings. */
      readonly issues: readonly ValidationIssue[]
    }
  | {
      /** The document may not be published. */
      readonly isValid: false
      /** What is wrong, and warnings. */
      readonly issues: readonly ValidationIssue[]
    }

/** Issues that are told; a hostile document has no end of them. */
const maxIssues = 200

/** Checks a `server.json`, and says everything that is wrong with it. */
export function validateDocument(value: unknown, bases: PackageBases = {}): Validation {
  const problems = findShapeProblems(value)
  const issues = problems.map(({ message, path }): ValidationIssue => ({
    type: 'schema',
    path: showPath(path),
    message,
    severity: 'error',
    reference: 'server.schema.json',
  }))
  const paths = problems.map(({ path }) => path)
  const classified = replaceParts(value, paths)
  // The schema stops after some faults: parts after them may still have the wrong shape, which the other rules do not expect.
  const isWhole =
    classified !== undefined &&
    (problems.length === 0 || findShapeProblems(classified).length === 0)
  if (!isWhole) return { isValid: false, issues: issues.slice(0, maxIssues) }
  checkDocument(classified, bases, (path, message, reference) => {
    issues.push({ type: 'semantic', path, message, severity: 'error', reference })
  })
  if (hasNull(classified)) {
    const message = 'contains U+0000, which cannot be stored'
    issues.push({ type: 'semantic', path: '', message, severity: 'error', reference: 'text' })
  }
  const isValid = issues.length === 0
  const existing = new Set(issues.map(({ path }) => path))
  issues.push(...adviseOn(classified).filter(({ path }) => path === '' || !existing.has(path)))
  const reported = issues.slice(0, maxIssues)
  return isValid
    ? { isValid, document: classified, issues: reported }
    : { isValid, issues: reported }
}

/** JSON writes it as an escape; a backslash before that escape makes it plain text. */
function hasNull(document: ServerDocument): boolean {
  return /(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(document))
}
