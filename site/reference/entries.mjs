/** The entries of our packages that people import. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What people import most comes first. The reference servers are run, not imported. */
const libraries = [
  'mcp',
  'auth',
  'cluster',
  'tools',
  'code',
  'telemetry',
  'react',
  'host',
  'gateway',
  'registry',
  'server-kit',
  'foundation',
  'inspector',
  'chat',
]

/**
 * @param {string} root of the repository
 * @returns {{ name: string, page: string, file: string }[]}
 */
export function readEntries(root) {
  return libraries.flatMap((library) => {
    const folder = join(root, 'packages', library)
    const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    // A program exports nothing, and what sister packages share is for them alone.
    return Object.entries(exports)
      .filter(([path, { types }]) => types !== undefined && !path.startsWith('./internal'))
      .map(([path, { types }]) => ({
        name: join(name, path),
        page: join(name, path).replace('@parley/', '').replaceAll('/', '-'),
        file: join(folder, types),
      }))
  })
}
