import { hasInvisible } from '@parley/foundation/text-safety'

import type { ServerDocument } from '../document/server-document.ts'
import { findInstallProblems } from '../install/judge-entry.ts'
import type { ValidationIssue } from './issue.ts'
import { releaseOf, schemaDate, schemaUrl } from './server-schema.ts'

/** What may be published, but had better be otherwise. */
export function adviseOn(document: ServerDocument): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const warn = (path: string, message: string, reference: string) =>
    issues.push({ type: 'linter', path, message, severity: 'warning', reference })
  const release = releaseOf(document.$schema ?? '')
  if (release !== undefined && release < schemaDate) {
    const message = `is the release of ${release}, and is read as that of ${schemaDate}: use ${schemaUrl}`
    warn('$schema', message, 'schema-version')
  }
  for (const field of ['title', 'description'] as const) {
    const text = document[field] ?? ''
    if (hasInvisible(text)) {
      warn(field, 'contains invisible characters', 'invisible-characters')
    }
    if (/<\/?[a-z!]/i.test(text)) {
      warn(field, 'looks like HTML: it is shown as it is written', 'markup')
    }
  }
  for (const [index, entry] of (document.packages ?? []).entries()) {
    if ((entry.runtimeArguments ?? []).length > 0 && entry.runtimeHint === undefined) {
      const message = 'should be given where there are runtimeArguments'
      warn(`packages[${index}].runtimeHint`, message, 'runtime-hint')
    }
    for (const [at, { name, isSecret }] of (entry.environmentVariables ?? []).entries()) {
      if (isSecret !== true && /(?:secret|password|token|api_?key)$/i.test(name)) {
        const path = `packages[${index}].environmentVariables[${at}]`
        warn(path, `${name} looks like a secret: set isSecret`, 'secret')
      }
    }
  }
  for (const { path, reason } of findInstallProblems(document)) {
    warn(path, `${reason} (\`parley add\` refuses it)`, 'install')
  }
  if (document.packages === undefined && document.remotes === undefined) {
    warn('', 'has neither packages nor remotes: it cannot be installed', 'nothing-to-run')
  }
  return issues
}
