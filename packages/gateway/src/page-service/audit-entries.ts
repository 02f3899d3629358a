import { readAuditLog, type AuditEntry } from '@parley/foundation/audit'

import type { AuditFilter, Methods } from './protocol.ts'

/** Entries that one answer has. */
const pageSize = 100

/** The newest entries that pass a filter, newest first. Reads all files of the log, and keeps one page of it. */
export async function findEntries(
  path: string,
  { text, type, outcome, upstream, before = Infinity }: AuditFilter,
): Promise<Methods['audit/page']['result']> {
  const wanted = text?.toLowerCase()
  const found: AuditEntry[] = []
  let passed = 0
  for await (const entry of readAuditLog(path)) {
    const { seq, record } = entry
    if (seq >= before) break
    if (type !== undefined && record['type'] !== type) continue
    if (outcome !== undefined && record['outcome'] !== outcome) continue
    if (upstream !== undefined && record['upstream'] !== upstream) continue
    if (wanted !== undefined && !JSON.stringify(record).toLowerCase().includes(wanted)) continue
    passed += 1
    found.push(entry)
    if (found.length > pageSize * 2) found.splice(0, pageSize)
  }
  return { entries: found.slice(-pageSize).toReversed(), hasMore: passed > pageSize }
}
