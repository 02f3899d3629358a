/** What an entry may say in its own words, and what the answer to a question may be. */

import { hasInvisible } from '@parley/foundation/text-safety'

/** Longer is no argument, and hides what stands at its end. */
const maxTextLength = 4_096

/** `${NAME}`, `$NAME` and `{env:NAME}`: products put variables, files and secrets of the user in their place. `%NAME%` is that of Windows. */
const substitution =
  /\$\{|\$\(|\$[A-Za-z_]|\{(?:env|file|secret|input|secrets)[:.]|\{\{|%[A-Za-z_]\w*%|`/i

/** Quotes and what they would protect: together they end an argument where Windows starts a program by `cmd`. */
const breaksOut = /"[^"]*[&|<>^]|[&|<>^][^"]*"/

/** Why a text of the entry itself is refused; undefined if it is fine. */
export function findTextProblem(text: string): string | undefined {
  if (text.length > maxTextLength) return `is longer than ${maxTextLength} characters`
  if (hasInvisible(text)) {
    return 'has characters that cannot be seen: leave them out'
  }
  if (substitution.test(text)) {
    return 'refers to variables of the configuration file or of a shell, which is not allowed: ask the user by {name} and variables'
  }
  return breaksOut.test(text)
    ? 'has quotes together with &, |, <, > or ^: leave one of them out'
    : undefined
}

/** Why an answer does not fit its question, for words that follow the name of the question; undefined if it does. */
export function findReplyProblem(
  answer: string,
  question: {
    readonly format: 'string' | 'number' | 'boolean' | 'filepath'
    readonly choices?: readonly string[] | undefined
  },
): string | undefined {
  const { format, choices } = question
  if (/[\0\p{Cs}]/u.test(answer)) return 'must not contain U+0000 or half of a character'
  if (answer.length > 65_536) return 'must not be longer than 65,536 characters'
  if (choices !== undefined && !choices.includes(answer)) {
    return `must be one of ${choices.join(', ')}`
  }
  // A reference stands for an answer that the user gives when the server is started.
  if (/^\$\{input:[\w-]+\}$/.test(answer)) return undefined
  switch (format) {
    case 'number':
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(answer)
        ? undefined
        : `must be a number, but is ${JSON.stringify(answer.slice(0, 40))}`
    case 'boolean':
      return /^(?:true|false)$/.test(answer) ? undefined : 'must be true or false'
    case 'filepath':
      return /^[^-\s].*$/u.test(answer) && !/[\r\n]/.test(answer)
        ? undefined
        : 'must be the path of a file or folder, on one line, that does not begin with - or a space'
    case 'string':
      return undefined
  }
}
