import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import type { Root } from '../../schema/input/input.ts'
import type { InputContext } from './input-handlers.ts'

/** Folders as paths, `file:` URIs or roots; or a function that is called for each request, with the server that requests them. */
export type RootsOption =
  | readonly (string | URL | Root)[]
  | ((about: InputContext) => readonly Root[] | Promise<readonly Root[]>)

/** Roots as the protocol has them: `file:` URIs without a way out. Throws for what is no folder to offer. */
export function toRoots(roots: readonly (string | URL | Root)[]): readonly Root[] {
  return roots.map((root) => {
    if (typeof root === 'string')
      return checked({ uri: root.startsWith('file:') ? root : pathToUri(root) })
    if (root instanceof URL) return checked({ uri: root.href })
    return checked(root)
  })
}

/** Throws if roots were not declared when connecting: they cannot be added later. */
export function requireRoots({ roots }: ClientCapabilities): void {
  if (roots !== undefined) return
  throw new McpError('unsupported', 'this client was connected without roots', {
    details: { capability: 'roots' },
    hint: 'Pass roots: [] to connect() if there are none yet.',
  })
}

function checked(root: Root): Root {
  const { uri } = root
  if (!uri.startsWith('file://'))
    throw invalidRoot(uri, 'a root is a file: URI or an absolute path')
  if (hasParentStep(uri)) throw invalidRoot(uri, 'a root must not contain ".." steps')
  return root
}

/** `..` in any spelling a file system might read as one. */
function hasParentStep(uri: string): boolean {
  const path = uri.replace(/%2e/gi, '.').replace(/%2f|%5c|\\/gi, '/')
  return path.split('/').includes('..')
}

function pathToUri(path: string): string {
  if (/^[A-Za-z]:[\\/]/.test(path)) return `file:///${encodePath(path.replaceAll('\\', '/'))}`
  if (path.startsWith('\\\\')) return `file:${encodePath(path.replaceAll('\\', '/'))}`
  if (path.startsWith('/')) return `file://${encodePath(path)}`
  throw invalidRoot(path, 'a root is a file: URI or an absolute path')
}

function encodePath(path: string): string {
  return path.split('/').map(encodeStep).join('/')
}

/** A drive letter keeps its colon. */
function encodeStep(step: string, index: number): string {
  return index === 0 && /^[A-Za-z]:$/.test(step) ? step : encodeURIComponent(step)
}

function invalidRoot(root: string, why: string): McpError {
  return new McpError('invalid_target', `root ${JSON.stringify(root)}: ${why}`, {
    details: { target: root },
  })
}
