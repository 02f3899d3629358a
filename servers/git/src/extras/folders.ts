import { ToolError } from '@parley/mcp'

import type { Repositories } from '../repositories.ts'

/** Where clones and work trees are made. */
export function requireDirectory({ directory }: Repositories): string {
  if (directory !== undefined) return directory
  throw new ToolError('Nowhere to put it: start the server with --directory DIR.')
}

/** The name of a folder, not a path. */
export function requireFolderName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(name)) return name
  throw new ToolError(
    'The name of a folder has letters, digits, dots, _ and -, and does not begin with a dot.',
  )
}
