import { delimiter } from 'node:path'

import { searchPath } from '@parley/mcp/system'

/** A setting of git and its value. */
export type Setting = readonly [key: string, value: string]

/** Of the caller's environment, what git may need to find itself, its user and temporary room. No variable of git. */
const inherited = [
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'COMSPEC',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'XDG_CONFIG_HOME',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]

/** The environment git runs in, with settings that no file can change. */
export function gitEnvironment(
  settings: readonly Setting[],
  options: {
    readonly from?: NodeJS.ProcessEnv | undefined
    /** Ways to other repositories, such as `https`. @defaultValue none */
    readonly protocols?: readonly string[] | undefined
    /** May take locks and write what it finds out. @defaultValue false */
    readonly isWriting?: boolean | undefined
  } = {},
): NodeJS.ProcessEnv {
  const { from = process.env, protocols = [], isWriting = false } = options
  const environment: NodeJS.ProcessEnv = {
    PATH: searchPath(from).join(delimiter),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: nullDevice,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_PROXY_COMMAND: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oStrictHostKeyChecking=yes',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_PAGER: 'cat',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TEMPLATE_DIR: '',
    GIT_NO_LAZY_FETCH: '1',
    // Beats every protocol.*.allow; a name that is none allows none.
    GIT_ALLOW_PROTOCOL: protocols.join(':') || 'none',
    GIT_CONFIG_COUNT: String(settings.length),
    ...(!isWriting && { GIT_OPTIONAL_LOCKS: '0' }),
  }
  for (const name of inherited) if (from[name] !== undefined) environment[name] = from[name]
  for (const [index, [key, value]] of settings.entries()) {
    // Not `-c key=value`: a name with `=` in it would be cut in the wrong place.
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}

/** A file with nothing in it. */
export const nullDevice = process.platform === 'win32' ? 'NUL' : '/dev/null'
