import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

/** Where to look for a program. */
export interface CommandSearch {
  readonly env: { readonly [name: string]: string | undefined }
  readonly cwd: string
  readonly platform: NodeJS.Platform
}

/** The file a command stands for, by PATH or by its own path; `undefined` if there is none that can be run. */
export function findCommand(command: string, search: CommandSearch): string | undefined {
  const { env, cwd, platform } = search
  const isWindows = platform === 'win32'
  const isPath = isWindows ? /[\\/:]/.test(command) : command.includes('/')
  const path = env['PATH'] ?? env['Path'] ?? ''
  const folders = isPath ? [cwd] : path.split(delimiter).filter((folder) => folder !== '')
  const endings = isWindows ? ['', ...(env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')] : ['']
  for (const folder of folders) {
    for (const ending of endings) {
      const file = resolve(folder, command + ending)
      if (isProgram(file)) return file
    }
  }
  return undefined
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false // not there, or not for us
  }
}
