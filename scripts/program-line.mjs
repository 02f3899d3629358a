/** How a program is started on this system: with a full path on Windows and without a shell anywhere. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'

/**
 * The file and arguments to hand to `spawn`. On Windows npm's launchers are batch files, which need a shell and its quoting,
 * and break at a space in a path: there the program's own JavaScript is run by this Node. Elsewhere nothing changes.
 *
 * @param {string} command `node`, `npm`, `npx`, a program of `node_modules/.bin`, or the path of one
 * @param {readonly string[]} args
 * @param {string} folder the one whose `node_modules/.bin` has the program
 * @param {{ platform?: NodeJS.Platform, execPath?: string }} [system]
 * @returns {{ file: string, args: readonly string[] }}
 */
export function programLine(
  command,
  args,
  folder,
  { platform = process.platform, execPath = process.execPath } = {},
) {
  if (platform !== 'win32') return { file: command, args }
  if (command === 'node') return { file: execPath, args }
  const script =
    command === 'npm' || command === 'npx'
      ? join(dirname(execPath), 'node_modules', 'npm', 'bin', `${command}-cli.js`)
      : scriptOf(join(folder, 'node_modules', '.bin', command))
  return script !== undefined && existsSync(script)
    ? { file: execPath, args: [script, ...args] }
    : { file: command, args }
}

/**
 * The JavaScript behind a launcher of npm. It writes three of them; the one for a POSIX shell has no extension.
 *
 * @param {string} launcher
 */
function scriptOf(launcher) {
  if (!existsSync(launcher)) return undefined
  const [, script] = /"\$basedir\/([^"]+)" +"\$@"/.exec(readFileSync(launcher, 'utf8')) ?? []
  return script === undefined ? undefined : resolve(dirname(launcher), script)
}
