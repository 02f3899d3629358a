import { sha256 } from '../naming/sha256.ts'
import type { OperationInfo } from './operations.ts'
import { OpenApiError } from './read-document.ts'

/** A name for an operation: by its `operationId`, or what this returns. */
export type OperationRename =
  | { readonly [operationId: string]: string }
  | ((operation: OperationInfo) => string | undefined)

const longest = 64
const digits = 8

/**
 * Names that models accept: the `operationId`, else method and path. One that is too long is cut, and one that another
 * operation of the document would have too is marked, with a hash of the operation; so a name does not depend on the order.
 */
export function nameOperations(
  operations: readonly OperationInfo[],
  rename: OperationRename = {},
): readonly string[] {
  const preferences = operations.map(
    (operation) => renamed(operation, rename) ?? plainName(operation),
  )
  const counts = new Map<string, number>()
  for (const preferredName of preferences)
    counts.set(preferredName, (counts.get(preferredName) ?? 0) + 1)
  const names = operations.map((operation, at) => {
    const preferredName = preferences[at] ?? ''
    const isUsed = (counts.get(preferredName) ?? 0) > 1
    return preferredName.length > longest || isUsed
      ? marked(preferredName, operation)
      : preferredName
  })
  const usedNames = new Set<string>()
  for (const name of names) {
    if (usedNames.has(name))
      throw new OpenApiError(`two operations would be called ${name}: rename one`)
    usedNames.add(name)
  }
  return names
}

function renamed(operation: OperationInfo, rename: OperationRename): string | undefined {
  const { operationId = '' } = operation
  const newName =
    typeof rename === 'function'
      ? rename(operation)
      : Object.hasOwn(rename, operationId)
        ? rename[operationId]
        : undefined
  if (newName !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(newName)) {
    throw new OpenApiError(
      `${operationName(operation)} cannot be called ${JSON.stringify(newName)}: use 1 to 64 of the characters A-Z a-z 0-9 _ -`,
    )
  }
  return newName
}

function plainName({ operationId, method, path }: OperationInfo): string {
  const name = operationId || `${method}${path.replaceAll(/[{}]/g, '')}`
  return name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '') || method
}

function marked(name: string, { method, path, operationId = '' }: OperationInfo): string {
  const hash = sha256(JSON.stringify([method, path, operationId])).slice(0, digits)
  return `${name.slice(0, longest - digits - 1)}_${hash}`
}

/** How an operation is called in messages. */
export function operationName({ method, path }: OperationInfo): string {
  return `${method.toUpperCase()} ${path}`
}
