import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'

import type { ConfigProblem } from '@parley/foundation/config'

const others = 0o002
const group = 0o020
const sticky = 0o1000

/**
 * Reports files that other users can change: the file decides which commands run and who may call. Every user of the machine
 * is an error; a group, or another owner, is a warning. On Windows the rights of the profile folder do the work.
 */
export async function checkRights(
  files: readonly string[],
  problems: ConfigProblem[],
): Promise<void> {
  const own = process.getuid?.()
  if (own === undefined) return
  for (const file of files) {
    const found = await stat(file).catch(() => undefined) // reading it reports that it is missing
    if (found === undefined) continue
    const folder = dirname(file)
    const around = await stat(folder).catch(() => undefined)
    const isOpen =
      around !== undefined && (around.mode & others) !== 0 && (around.mode & sticky) === 0
    const report = (level: ConfigProblem['level'], message: string, fix: string) =>
      problems.push({ level, file, key: '', message, fix })
    if ((found.mode & others) !== 0) {
      report('error', 'can be changed by every user of this machine', `Run chmod go-w ${file}.`)
    } else if (isOpen) {
      const why = `can be replaced by every user of this machine, who may write to ${folder}`
      report('error', why, `Run chmod go-w ${folder}.`)
    } else if (found.uid !== own && found.uid !== 0) {
      const why = `belongs to the user ${found.uid}, and the gateway runs as ${own}`
      report(
        'warning',
        why,
        'Anyone who can change the file decides which commands run: use a file of your own.',
      )
    } else if ((found.mode & group) !== 0) {
      report(
        'warning',
        'can be changed by its group',
        `Run chmod go-w ${file}, if that is not meant.`,
      )
    }
  }
}
