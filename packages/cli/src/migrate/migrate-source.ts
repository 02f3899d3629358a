import { migrateClients } from './clients.ts'
import { migrateFastMcp } from './fastmcp.ts'
import { exchangeImports } from './imports.ts'
import { migrateLowLevel } from './low-level/low-level.ts'
import { migrateServers } from './servers.ts'
import { createSource, isOfficial, linkTo, type Place, type Source } from './source.ts'
import { identifier, nodesIn, parseTree, part, parts, stringValue } from './tree.ts'

/** A source after the move. */
export interface Migrated {
  readonly text: string
  readonly edits: number
  readonly places: readonly Place[]
}

/** What a source must have in it for us to look closer. */
const signs =
  /@modelcontextprotocol\/|['"]fastmcp['"]|\.register(Tool|Prompt|Resource)\(|\.server\.(elicitInput|createMessage|listRoots|sendResourceUpdated)\(/

/** Moves one source; undefined if there is nothing of the official SDK in it. */
export async function migrateSource(file: string, text: string): Promise<Migrated | undefined> {
  if (!signs.test(text)) return undefined
  const tree = await parseTree(file, text)
  if (tree === undefined)
    return untouched(text, 'this file cannot be parsed, and was left as it is')
  const source = createSource(tree)
  if (!leaveRequires(source)) {
    migrateLowLevel(source)
    migrateServers(source)
    migrateClients(source)
    migrateFastMcp(source)
  }
  const moved = await exchangeImports(
    file,
    source.render({ start: 0, end: text.length }),
    source.uses,
  )
  if (moved === undefined)
    return untouched(text, 'this file could not be moved, and was left as it is')
  const comments = new Set(source.places.map(({ line, message }) => `${line} ${message}`)).size
  return { text: moved, edits: Math.max(0, source.edits.count - comments), places: source.places }
}

/** A comment cannot be placed there. */
function untouched(text: string, message: string): Migrated {
  return { text, edits: 0, places: [{ line: 1, message, link: linkTo('api-names') }] }
}

/** A source that requires the SDK is left whole: half of it would no longer fit the other. */
function leaveRequires(source: Source): boolean {
  const requires = [...nodesIn(source.tree.root)].filter(
    (node) =>
      identifier(part(node, 'callee')) === 'require' &&
      isOfficial(stringValue(parts(node, 'arguments')[0])),
  )
  for (const require of requires) {
    source.leave(
      require,
      'write import instead of require, and run parley migrate again',
      'api-names',
    )
  }
  return requires.length > 0
}
