import { pathOfRow } from './row-path.ts'
import { durationOf, statusOf, type Row, type RowTable } from './rows.ts'

/** A filter as typed: all parts must hold. */
export interface Filter {
  readonly parts: readonly FilterPart[]
  /** Texts looked for in the whole content, which only the records have. */
  readonly contents: readonly string[]
  /** What could not be read, for the user. */
  readonly problem?: string | undefined
}

export interface FilterPart {
  readonly key: FilterKey | 'words'
  readonly value: string
  readonly isNot: boolean
}

export const filterKeys = [
  'method',
  'status',
  'dur',
  'wait',
  'server',
  'kind',
  'dir',
  'text',
  'is',
] as const
export type FilterKey = (typeof filterKeys)[number]

/** `key:value`, `key:"with spaces"`, `-key:value` for the opposite, and plain words. */
export function parseFilter(text: string): Filter {
  const parts: FilterPart[] = []
  const contents: string[] = []
  let problem: string | undefined
  for (const match of text.matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi)) {
    const [whole, minus, name, quoted, plain] = match
    const value = quoted ?? plain ?? ''
    const key = filterKeys.find((candidate) => candidate === name?.toLowerCase())
    if (name !== undefined && !key) {
      parts.push({ key: 'words', value: whole.toLowerCase(), isNot: false })
      continue
    }
    if (value === '') continue
    if (key === 'dur' && !parseDuration(value)) problem = `dur: needs >200 or <1s, not ${value}`
    else if (key === 'text' && minus !== '-') contents.push(value.toLowerCase())
    else parts.push({ key: key ?? 'words', value: value.toLowerCase(), isNot: minus === '-' })
  }
  return { parts, contents, problem: problem }
}

/** What a filter needs to know besides the row. */
export interface FilterContext {
  readonly pins: ReadonlySet<number>
  /** Which records hold the texts looked for. */
  readonly found?: ReadonlySet<number> | undefined
  readonly table?: RowTable | undefined
}

/**
 * Whether a row of the list passes: itself, or by something it led to. The opposite of something is asked of the row alone,
 * since nearly every call led to something that is otherwise.
 */
export function passesFilter(filter: Filter, row: Row, context: FilterContext): boolean {
  if (matchesFilter(filter, row, context)) return true
  const isLookedFor = filter.contents.length > 0 || filter.parts.some(({ isNot }) => !isNot)
  return isLookedFor && row.children.some((child) => passesFilter(filter, child, context))
}

/** Whether this row has all that is looked for. */
export function matchesFilter(filter: Filter, row: Row, context: FilterContext): boolean {
  if (filter.contents.length > 0 && !holdsText(row, context.found)) return false
  return filter.parts.every((part) => matchesPart(part, row, context) !== part.isNot)
}

/** Above or below so many milliseconds. */
export function parseDuration(
  text: string,
): { readonly isAbove: boolean; readonly ms: number } | undefined {
  const match = /^([<>]?)=?(\d+(?:\.\d+)?)(ms|s)?$/.exec(text)
  if (!match) return undefined
  const [, sign, number, unit] = match
  return { isAbove: sign !== '<', ms: Number(number) * (unit === 's' ? 1000 : 1) }
}

function matchesPart({ key, value }: FilterPart, row: Row, context: FilterContext): boolean {
  const { entry, answer } = row
  switch (key) {
    case 'method':
      return entry.label.toLowerCase().includes(value)
    case 'server':
      return entry.server.toLowerCase().includes(value)
    case 'kind':
      return entry.kind.startsWith(value) || entry.role.startsWith(value)
    case 'dir':
      return entry.direction === value
    case 'status':
      return statusOf(row).startsWith(value)
    case 'is':
      return value.startsWith('pin') ? context.pins.has(entry.seq) : statusOf(row).startsWith(value)
    case 'dur': {
      const bound = parseDuration(value)
      const ms = durationOf(row)
      if (!bound || ms === undefined) return false
      return bound.isAbove ? ms > bound.ms : ms < bound.ms
    }
    case 'wait': {
      const path = context.table && pathOfRow(context.table, row)
      return path?.segments.some(({ who }) => who.startsWith(value)) ?? false
    }
    case 'text':
    case 'words':
      return (
        entry.label.toLowerCase().includes(value) ||
        entry.subject.toLowerCase().includes(value) ||
        entry.server.toLowerCase().includes(value) ||
        (answer?.subject.toLowerCase().includes(value) ?? false)
      )
  }
}

function holdsText({ entry, answer }: Row, found: ReadonlySet<number> | undefined): boolean {
  return (
    (found?.has(entry.seq) ?? false) || (answer !== undefined && (found?.has(answer.seq) ?? false))
  )
}
