import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Where our programs keep what they remember, by the custom of the platform. `PARLEY_STATE` names another place. */
export function stateFolder(
  options: {
    readonly env?: { readonly [name: string]: string | undefined } | undefined
    readonly platform?: NodeJS.Platform | undefined
  } = {},
): string {
  const { env = process.env, platform = process.platform } = options
  const { PARLEY_STATE, LOCALAPPDATA, XDG_STATE_HOME } = env
  const home = (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) ?? homedir()
  if (PARLEY_STATE) return PARLEY_STATE
  if (platform === 'win32') return join(LOCALAPPDATA ?? join(home, 'AppData/Local'), 'parley')
  if (platform === 'darwin') return join(home, 'Library/Application Support/parley')
  return join(XDG_STATE_HOME || join(home, '.local/state'), 'parley')
}
