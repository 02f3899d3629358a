import type { HttpMethod, OperationInfo } from './operations.ts'

/** Which operations: all that are given here must hold, one of a list is enough. In texts `*` stands for anything. */
export interface OperationFilter {
  /** Operations with one of these tags. */
  readonly tags?: readonly string[] | undefined
  /** Such as `/repos/*`. */
  readonly paths?: readonly string[] | undefined
  /** Operations with one of these methods. */
  readonly methods?: readonly HttpMethod[] | undefined
  /** Operations with one of these ids. */
  readonly operationIds?: readonly string[] | undefined
  /** True: only deprecated ones. False: only others. @defaultValue both */
  readonly deprecated?: boolean | undefined
}

/** One filter, several of which one must hold, or a function. */
export type OperationSelection =
  | OperationFilter
  | readonly OperationFilter[]
  | ((operation: OperationInfo) => boolean)

/** Makes a test of a selection. */
export function createSelection(
  selection: OperationSelection,
): (operation: OperationInfo) => boolean {
  if (typeof selection === 'function') return selection
  const tests = (isList(selection) ? selection : [selection]).map(createFilter)
  return (operation) => tests.some((test) => test(operation))
}

function isList(selection: OperationSelection): selection is readonly OperationFilter[] {
  return Array.isArray(selection)
}

function createFilter(filter: OperationFilter): (operation: OperationInfo) => boolean {
  const { methods, deprecated } = filter
  const tags = matcher(filter.tags)
  const paths = matcher(filter.paths)
  const ids = matcher(filter.operationIds)
  return (operation) =>
    (tags === undefined || operation.tags.some(tags)) &&
    (paths === undefined || paths(operation.path)) &&
    (ids === undefined || ids(operation.operationId ?? '')) &&
    (methods === undefined || methods.includes(operation.method)) &&
    (deprecated === undefined || deprecated === operation.deprecated)
}

function matcher(patterns: readonly string[] | undefined): ((text: string) => boolean) | undefined {
  if (patterns === undefined) return undefined
  const tests = patterns.map((pattern) => {
    const parts = pattern.split('*')
    return (text: string) => matches(text, parts)
  })
  return (text) => tests.some((test) => test(text))
}

/** The parts between the stars, in order; without a regular expression, so that no pattern is slow. */
function matches(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  for (const part of rest) {
    const found = text.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return from <= text.length - last.length
}
