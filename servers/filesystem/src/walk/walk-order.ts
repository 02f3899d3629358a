import { ToolError } from '@parley/mcp'

/** Which of two paths a walk comes to first: negative if the first. A folder comes before what is in it. */
export function compareInWalk(one: string, other: string): number {
  const [names, others] = [one.split('/'), other.split('/')]
  for (const [at, name] of names.entries()) {
    const against = others[at]
    if (against === undefined) return 1
    if (name !== against) return name < against ? -1 : 1
  }
  return names.length - others.length
}

/** True for what a walk that goes on from a path has behind it, and need not look into again. */
export function isBehind(relative: string, from: string): boolean {
  return compareInWalk(relative, from) < 0 && !from.startsWith(`${relative}/`)
}

/** Where a walk goes on. */
export interface Position {
  readonly path: string
  readonly line: number
}

export function writeCursor({ path, line }: Position): string {
  return Buffer.from(JSON.stringify([path, line])).toString('base64url')
}

export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(value)) {
      const [path, line]: unknown[] = value
      if (typeof path === 'string' && typeof line === 'number') return { path, line }
    }
  } catch {
    // Not one of ours.
  }
  throw new ToolError('That cursor was not given out by this tool. Leave it out to begin anew.')
}
