import { listOf, recordOf, textOf } from '@parley/page/json'

import { readEntry, type Entry } from '../read-entry.ts'

/** A decision about names. */
export interface Rule {
  readonly kind: string
  readonly pattern: string
  readonly value: string | undefined
  readonly reason: string
  readonly author: string
  readonly at: number | undefined
}

/** What a moderator told the others. */
export interface ModeratorNote {
  readonly name: string
  readonly text: string
  readonly author: string
  readonly at: number | undefined
}

/** What somebody says is wrong with a server. */
export interface ShownReport extends ModeratorNote {
  readonly version: string
  readonly kind: string
}

/** What moderators see. */
export interface Moderation {
  readonly rules: readonly Rule[]
  readonly notes: readonly ModeratorNote[]
  readonly reports: readonly ShownReport[]
  /** Entries that the registry noticed something about. */
  readonly flagged: readonly Entry[]
}

/** From an answer of `x/moderation`. */
export function readModeration(value: unknown): Moderation {
  const { rules, notes, reports, flagged } = recordOf(value)
  return {
    rules: listOf(rules).map((item) => {
      const rule = recordOf(item)
      return {
        kind: textOf(rule['kind']) ?? '',
        pattern: textOf(rule['pattern']) ?? '',
        value: textOf(rule['value']),
        reason: textOf(rule['reason']) ?? '',
        author: textOf(rule['author']) ?? '',
        at: timeOf(rule['at']),
      }
    }),
    notes: listOf(notes).map(readNote),
    reports: listOf(reports).map((item) => {
      const { version, kind } = recordOf(item)
      return { ...readNote(item), version: textOf(version) ?? '', kind: textOf(kind) ?? '' }
    }),
    flagged: listOf(flagged).map(readEntry),
  }
}

function readNote(value: unknown): ModeratorNote {
  const note = recordOf(value)
  return {
    name: textOf(note['name']) ?? '',
    text: textOf(note['text']) ?? '',
    author: textOf(note['author']) ?? '',
    at: timeOf(note['at']),
  }
}

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(textOf(value) ?? '')
  return Number.isNaN(time) ? undefined : time
}
