import { chainStart, isIntact, type AuditEntry, type ChainEnd } from './audit-entry.ts'
import { readHead } from './audit-files.ts'
import { readNote } from './audit-notes.ts'
import { readAuditLines, type AuditLine } from './read-audit-log.ts'

/** Something in the log that is not as it was written, or that the log says of itself. */
export interface AuditProblem {
  /**
   * `changed`, `missing` and `disordered` are the work of somebody, or of a broken disk; `torn` is a process that died while
   * it wrote, `dropped` records that were lost before they were written.
   */
  readonly kind: 'changed' | 'missing' | 'disordered' | 'torn' | 'dropped'
  /** The file that it is in. */
  readonly file: string
  /** 0 for a file as a whole. */
  readonly line: number
  /** The problem, for people. */
  readonly message: string
}

/** The result of verifying a log. */
export interface AuditVerification {
  /** Whether nothing was changed, removed or put in since it was written. */
  readonly isIntact: boolean
  /** How many entries there are. */
  readonly entries: number
  /** The first and the last entry, by number. Undefined in an empty log. */
  readonly first: number | undefined
  /** The last entry by number, with its hash. Undefined in an empty log. */
  readonly last: ChainEnd | undefined
  /** Tampering; at most 100. */
  readonly problems: readonly AuditProblem[]
  /** Lines cut off by a crash, and records lost; at most 100. */
  readonly notes: readonly AuditProblem[]
}

/** Facts about the log from another source. */
export interface VerifyAuditOptions {
  /** The key it was opened with. */
  readonly key?: string | undefined
  /** An end seen earlier, kept where the log's writer cannot change it: a log rolled back behind it is noticed. */
  readonly lastEnd?: ChainEnd | undefined
}

const maxProblems = 100

/** Reads a whole log, all its files, and says whether entries were changed, removed or put in. */
export async function verifyAuditLog(
  path: string,
  { key, lastEnd }: VerifyAuditOptions = {},
): Promise<AuditVerification> {
  const problems: AuditProblem[] = []
  const notes: AuditProblem[] = []
  const head = await readHead(path)
  const removedUpTo = new Set<number>([1])
  let entries = 0
  let first: { readonly entry: AuditEntry; readonly at: AuditLine } | undefined
  let last: AuditEntry | undefined
  let unreadable: AuditLine | undefined
  let isKnownEndSeen = lastEnd === undefined || lastEnd.seq === 0

  function report(
    kind: AuditProblem['kind'],
    { file, line }: Pick<AuditLine, 'file' | 'line'>,
    message: string,
  ) {
    const list = kind === 'torn' || kind === 'dropped' ? notes : problems
    if (list.length < maxProblems) list.push({ kind, file, line, message })
  }

  function resolveUnreadable(next: AuditEntry | undefined): void {
    if (unreadable === undefined) return
    const note = next === undefined ? undefined : readNote(next.record)
    const isSaid = note?.kind === 'torn' && note.bytes === unreadable.bytes
    const isTorn = isSaid || !unreadable.isWhole
    if (isTorn) report('torn', unreadable, `the line was cut off after ${unreadable.bytes} bytes`)
    else report('changed', unreadable, `the line is not an entry of this log`)
    unreadable = undefined
  }

  for await (const line of readAuditLines(path)) {
    const { entry } = line
    if (entry === undefined) {
      resolveUnreadable(undefined)
      unreadable = line
      continue
    }
    entries += 1
    if (!isIntact(entry, key)) {
      report('changed', line, `entry ${entry.seq} does not have the hash it was written with`)
    }
    resolveUnreadable(entry)
    if (last === undefined) first = { entry, at: line }
    else compareNeighbours(last, entry, (kind, message) => report(kind, line, message))
    const note = readNote(entry.record)
    if (note?.kind === 'removed') removedUpTo.add(note.first)
    if (note?.kind === 'dropped')
      report('dropped', line, `${note.records} records were lost before this entry`)
    if (entry.seq === lastEnd?.seq && entry.hash === lastEnd.hash) isKnownEndSeen = true
    last = entry
  }
  resolveUnreadable(undefined)

  const whole = { file: path, line: 0 }
  if (first !== undefined && !removedUpTo.has(first.entry.seq)) {
    report(
      'missing',
      first.at,
      `the log begins with entry ${first.entry.seq}: the ones before it are gone`,
    )
  } else if (first?.entry.seq === 1 && first.entry.prev !== chainStart.hash) {
    report('changed', first.at, 'entry 1 continues another log')
  }
  const lastSeq = last?.seq ?? 0
  if (
    head !== undefined &&
    (head.seq > lastSeq || (head.seq === lastSeq && head.hash !== last?.hash))
  ) {
    report('missing', whole, `the last entry written was ${head.seq}, the log ends with ${lastSeq}`)
  }
  // Older entries may have gone with an old file; the notes about that were checked above.
  if (lastEnd !== undefined && !isKnownEndSeen && lastEnd.seq >= (first?.entry.seq ?? 0)) {
    report('missing', whole, `entry ${lastEnd.seq} was seen earlier and is not there as it was`)
  }
  return {
    isIntact: problems.length === 0,
    entries,
    first: first?.entry.seq,
    last: last === undefined ? undefined : { seq: last.seq, hash: last.hash },
    problems,
    notes,
  }
}

function compareNeighbours(
  before: AuditEntry,
  entry: AuditEntry,
  report: (kind: AuditProblem['kind'], message: string) => void,
): void {
  const gap = entry.seq - before.seq
  if (gap > 1) report('missing', `entries ${before.seq + 1} to ${entry.seq - 1} are gone`)
  else if (gap < 1) report('disordered', `entry ${entry.seq} comes after entry ${before.seq}`)
  else if (entry.prev !== before.hash) {
    report('changed', `entry ${entry.seq} was written after another entry ${before.seq}`)
  }
}
