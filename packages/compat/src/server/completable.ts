import type { AnySchema, SchemaInput } from './zod-compat.ts'

/** The property that holds what completes a schema. */
export const COMPLETABLE_SYMBOL: unique symbol = Symbol.for('mcp.completable')

export type CompleteCallback<T extends AnySchema = AnySchema> = (
  value: SchemaInput<T>,
  context?: { arguments?: Record<string, string> },
) => SchemaInput<T>[] | Promise<SchemaInput<T>[]>
export type CompletableMeta<T extends AnySchema = AnySchema> = { complete: CompleteCallback<T> }
export type CompletableSchema<T extends AnySchema> = T & {
  [COMPLETABLE_SYMBOL]: CompletableMeta<T>
}

/** Lets a schema of Zod 3 or 4 complete what users type. */
export function completable<T extends AnySchema>(
  schema: T,
  complete: CompleteCallback<T>,
): CompletableSchema<T> {
  Object.defineProperty(schema, COMPLETABLE_SYMBOL, {
    value: { complete },
    enumerable: false,
    writable: false,
    configurable: false,
  })
  return schema as CompletableSchema<T>
}

/** Says whether a schema completes. */
export function isCompletable(schema: unknown): schema is CompletableSchema<AnySchema> {
  return typeof schema === 'object' && schema !== null && COMPLETABLE_SYMBOL in schema
}

/** Returns what completes a schema. */
export function getCompleter<T extends AnySchema>(schema: T): CompleteCallback<T> | undefined {
  return (schema as unknown as Partial<CompletableSchema<T>>)[COMPLETABLE_SYMBOL]?.complete
}

/** Returns the schema, which is the same one. */
export function unwrapCompletable<T extends AnySchema>(schema: CompletableSchema<T>): T {
  return schema
}

export enum McpZodTypeKind {
  Completable = 'McpCompletable',
}

export interface CompletableDef<T extends AnySchema = AnySchema> {
  type: T
  complete: CompleteCallback<T>
  typeName: McpZodTypeKind.Completable
}
