import type { CommandEntry } from '../../client/server-entry.ts'

/** Variables by name; on Windows names differ in case only by accident. */
export type Environment = { readonly [name: string]: string | undefined }

/** What a child gets: what it inherits by its policy, then what its entry says. */
export function childEnvironment(
  entry: Pick<CommandEntry, 'env' | 'inheritEnv'>,
  ours: Environment,
  platform: NodeJS.Platform,
): Record<string, string> {
  const { env = {}, inheritEnv = 'minimal' } = entry
  const nameOf =
    platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name
  const allowed =
    inheritEnv === 'all'
      ? undefined
      : new Set([...minimal, ...(inheritEnv === 'minimal' ? [] : inheritEnv)].map(nameOf))

  const byName = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of Object.entries(ours)) {
    // A value that begins so is a shell function, which a shell in the child would define.
    if (value === undefined || value.startsWith('()')) continue
    if (!allowed || allowed.has(nameOf(name)) || name.startsWith('LC_')) {
      byName.set(nameOf(name), [name, value])
    }
  }
  for (const [name, value] of Object.entries(env)) byName.set(nameOf(name), [name, value])
  return Object.fromEntries(byName.values())
}

/** The value of a variable, whatever the case of its name on Windows. */
export function readVariable(
  env: Environment,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name]
  const found = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase())
  return found === undefined ? undefined : env[found]
}

/** Enough to start, find one's files, speak the user's language and get through the company's network; no secrets. */
const minimal = `
  PATH HOME USER LOGNAME SHELL TERM TZ LANG LANGUAGE
  TMPDIR TMP TEMP XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy NODE_USE_ENV_PROXY
  NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
  GIT_SSL_CAINFO AWS_CA_BUNDLE
  PATHEXT COMSPEC SYSTEMROOT SYSTEMDRIVE WINDIR USERNAME USERPROFILE HOMEDRIVE HOMEPATH PUBLIC OS
  APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES
  ALLUSERSPROFILE NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE`
  .trim()
  .split(/\s+/)
