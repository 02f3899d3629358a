import { resolve } from 'node:path'

import type { AuditLogOptions } from '@parley/foundation/audit'
import type { JsonValue } from '@parley/mcp'

import type { CheckProblem } from '../checks/check-problem.ts'
import { openSection } from '../checks/section.ts'
import type { AuditedOptions } from './audited-checks.ts'

/** What `audit:` says. */
export interface AuditSettings extends Pick<AuditedOptions, 'arguments' | 'required'> {
  readonly log: Pick<AuditLogOptions, 'path' | 'fileBytes' | 'files' | 'sync' | 'key'>
}

/** Reads `audit:`: a file alone, or `{ file, arguments, required, size, files, sync, key }`. Files are found from `folder`. */
export function readAudit(
  input: JsonValue,
  folder: string,
  problems: CheckProblem[],
): AuditSettings | undefined {
  const section = openSection(
    typeof input === 'string' ? { file: input } : input,
    ['audit'],
    problems,
  )
  if (section === undefined) return undefined
  const file = section.text('file')
  const settings = {
    log: {
      path: resolve(folder, file ?? ''),
      fileBytes: section.bytes('size'),
      files: section.number('files', 2, 10_000),
      sync: section.flag('sync'),
      key: section.text('key'),
    },
    arguments: section.flag('arguments'),
    required: section.flag('required'),
  }
  section.end()
  if (file !== undefined) return settings
  section.problem('file', 'there is no file to write to', 'write file: audit.jsonl')
  return undefined
}
