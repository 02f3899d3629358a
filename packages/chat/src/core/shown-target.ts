import { shellWord } from '@parley/foundation/command-line'
import type { ConfigEntry } from '@parley/foundation/config'
import { isSecretName, maskArguments } from '@parley/foundation/secrets'

/** The command line or address of an entry as a person agrees to it: variables by name, secrets masked. */
export function shownTarget({ target }: ConfigEntry): string {
  if (target.kind === 'url') return withNames(target.url, 'sends', Object.keys(target.headers))
  const { command, args, env, cwd } = target
  const line = [command, ...maskArguments(args)].map((word) => shellWord(word)).join(' ')
  const where = cwd === undefined ? line : `${line} (in ${cwd})`
  const variables = Object.entries(env).map(([name, value]) =>
    isSecretName(name) ? name : `${name}=${value}`,
  )
  return withNames(where, 'with', variables)
}

function withNames(text: string, word: string, names: readonly string[]): string {
  return names.length === 0 ? text : `${text} (${word} ${names.join(', ')})`
}
