/** A node of the syntax tree; its members are looked at one by one. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** Whether a member of a node is one too. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The nodes in what should be a list of them. */
export function nodesOf(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The name of an identifier; undefined for anything else. */
export function nameOf(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'Identifier') return undefined
  return typeof value['name'] === 'string' ? value['name'] : undefined
}

/** A source file, taken apart. */
export interface SourceFile {
  readonly file: string
  readonly text: string
  readonly body: readonly SyntaxNode[]
  /** The doc comment right before a place, as prose. */
  docBefore(start: number): string | undefined
}

/** Something that has no tool definition, and where it stands. */
export class NotDefinable extends Error {
  override readonly name = 'NotDefinable'
  readonly start: number

  constructor(message: string, start: number) {
    super(message)
    this.start = start
  }
}

/** `src/tools.ts:12:5` */
export function placeOf({ file, text }: SourceFile, start: number): string {
  const before = text.slice(0, start).split('\n')
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
