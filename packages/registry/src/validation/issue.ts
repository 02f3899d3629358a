/** Something about a document. */
export interface ValidationIssue {
  /** Who noticed it: the parser, the schema, the rules beyond it, or the adviser. */
  readonly type: 'json' | 'schema' | 'semantic' | 'linter'
  /** Such as `packages[0].transport.url`; empty for the whole document. */
  readonly path: string
  /** What is wrong, for people. */
  readonly message: string
  /** Only errors keep a document from being published. */
  readonly severity: 'error' | 'warning' | 'info'
  /** The rule. */
  readonly reference: string
}

/** Takes what a rule has found. */
export type Report = (path: string, message: string, reference: string) => void

/** `packages`, 0, `transport` as `packages[0].transport`. */
export function showPath(parts: readonly PropertyKey[]): string {
  return parts
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`
      return at === 0 ? String(part) : `.${String(part)}`
    })
    .join('')
}
