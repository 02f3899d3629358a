import { GitError } from './git-error.ts'

/** Throws for what git could take for an option, or what no name can have. */
export function requirePlain(value: string, what: string): void {
  if (value === '') throw refused(what, value, 'it is empty')
  if (value.startsWith('-')) throw refused(what, value, "it cannot start with '-'")
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) throw refused(what, value, 'it has a control character')
  if (value.length > 1024) throw refused(what, `${value.slice(0, 60)}…`, 'it is too long')
}

/** Throws unless it can be the name of a new branch or tag. */
export function requireNewName(value: string, what: string): void {
  requirePlain(value, what)
  const isWrong =
    /[ ~^:?*[\\]|\.\.|@\{|\/\/|\.lock(\/|$)|(^|\/)\.|\/$|\.$/.test(value) ||
    value === '@' ||
    value === 'HEAD'
  if (isWrong) throw refused(what, value, 'git does not allow such names')
}

function refused(what: string, value: string, why: string): GitError {
  return new GitError('refused', `Invalid ${what}: ${JSON.stringify(value)}: ${why}.`)
}
