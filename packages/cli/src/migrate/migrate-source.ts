import { migrateClients } from './clients.ts'
import { migrateFastMcp } from './fastmcp.ts'
import { exchangeImports } from './imports.ts'
import { migrateLowLevel } from './low-level.ts'
import { migrateServers } from './servers.ts'
import { createSource, type Place } from './source.ts'
import { parseTree } from './tree.ts'

/** A source after the move. */
export interface Migrated {
  readonly text: string
  readonly edits: number
  readonly places: readonly Place[]
}

/** What a source must have in it for us to look closer. */
const signs =
  /@modelcontextprotocol\/|['"]fastmcp['"]|\.register(Tool|Prompt|Resource)\(|\.server\.(elicitInput|createMessage|listRoots|sendResourceUpdated)\(/

/** Moves one source; undefined if there is nothing of the official SDK in it, or it cannot be parsed. */
export async function migrateSource(file: string, text: string): Promise<Migrated | undefined> {
  if (!signs.test(text)) return undefined
  const tree = await parseTree(file, text)
  if (tree === undefined) return undefined
  const source = createSource(tree)
  migrateLowLevel(source)
  migrateServers(source)
  migrateClients(source)
  migrateFastMcp(source)
  const moved = await exchangeImports(
    file,
    source.render({ start: 0, end: text.length }),
    source.uses,
  )
  if (moved === undefined) throw new Error(`${file}: the result would not parse; please report it`)
  const comments = new Set(source.places.map(({ line, message }) => `${line} ${message}`)).size
  return { text: moved, edits: Math.max(0, source.edits.count - comments), places: source.places }
}
