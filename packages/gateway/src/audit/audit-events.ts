import type { AuditLog } from '@parley/foundation/audit'

import type { Subject } from '../checks/check.ts'
import type { PatternFinding } from '../checks/patterns/patterns.ts'

/** Events of checks besides their decisions. */
export interface AuditEvents {
  onFinding(finding: PatternFinding): void
  onQuarantine(subject: Subject, reason: 'new' | 'changed', id: string): void
}

/** Writes findings and definitions in quarantine to the log. The text that was found is in neither. */
export function auditEvents(log: AuditLog): AuditEvents {
  return {
    onFinding({ kind, place, found, subject, principal, mode }) {
      void log.append({
        type: 'finding',
        caller: principal,
        ...nameOf(subject),
        found: kind,
        place,
        names: found,
        mode,
      }) // never rejects
    },
    onQuarantine(subject, reason, id) {
      void log.append({ type: 'quarantine', ...nameOf(subject), reason, id }) // never rejects
    },
  }
}

function nameOf({ kind, upstream, name }: Subject) {
  return { kind, upstream, name: name.slice(0, 1_000) }
}
