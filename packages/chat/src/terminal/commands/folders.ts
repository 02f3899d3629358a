import { resolve } from 'node:path'

import { checkFolder, folderProblems } from '../../core/check-folder.ts'
import { flat, line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** The folders that servers are told of; one that is named is added, or taken out if it is there. */
export async function folders(words: readonly string[], context: CommandContext): Promise<void> {
  const { setup, print, cwd } = context
  if (setup === undefined) throw new Error('folders cannot be changed here: use --root FOLDER')
  const before = await setup.roots()
  const [first] = words
  if (first === undefined) {
    if (before.length === 0) return print([line('servers know no folders', 'dim')])
    const problems = await folderProblems(before)
    return print(
      before.flatMap((root) => {
        const problem = problems[root]
        const shown = line(`  ${flat(root, 500)}`)
        return problem === undefined ? [shown] : [shown, line(`    ${flat(problem)}`, 'warning')]
      }),
    )
  }
  const folder = resolve(cwd, words.join(' '))
  const isThere = before.includes(folder)
  if (!isThere) await checkFolder(folder)
  await setup.setRoots(isThere ? before.filter((root) => root !== folder) : [...before, folder])
  const now = isThere ? 'no longer know' : 'now know'
  print([
    line(`servers ${now} ${flat(folder, 500)}`, 'dim'),
    ...(isThere ? [] : [line('That guides them; it does not confine them.', 'dim')]),
  ])
}
