import type { JsonObject } from '@parley/mcp'

/** Something about a definition that is worth a look. */
export interface Finding {
  readonly level: 'info' | 'warning' | 'error'
  /** The same for every definition with the same fault, so that they can be counted together. */
  readonly message: string
  /** What is special about this one: names, figures. */
  readonly detail?: string | undefined
  /** What to write instead. */
  readonly hint?: string | undefined
  /** Where, as a JSON pointer into the definition. */
  readonly pointer?: string | undefined
}

/** Whether nothing is said about an item. */
export function isUndescribed({ description }: JsonObject): boolean {
  return typeof description !== 'string' || description.trim() === ''
}

/** About four characters of English or JSON are a token; models differ. The one estimate of this program. */
export function estimateTokens(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / 4)
}
