import { replaceHidden } from '../text-safety/hidden-characters.ts'

/** How text of a stranger is shown. */
export interface SafeTextOptions {
  /** Keep line breaks and tabs. @defaultValue true */
  readonly multiline?: boolean | undefined
  /** Longer lines are cut, with a note of how much is missing. @defaultValue no limit */
  readonly lineLength?: number | undefined
}

/**
 * Text that does nothing but show: escape sequences, other control characters, and characters that turn or hide what
 * stands beside them appear as their code. Joiners stay where scripts and emoji need them.
 */
export function safeText(text: string, options: SafeTextOptions = {}): string {
  const { multiline = true, lineLength } = options
  const flat = multiline ? text.replaceAll('\r\n', '\n') : text
  const cut = lineLength === undefined ? flat : cutLines(flat, lineLength)
  return escapeUnsafe(cut, multiline ? breaks : breaksAndTabs, escapeOf)
}

const breaks = /[\r\u2028\u2029]/g
const breaksAndTabs = /[\t\n\r\u2028\u2029]/g

/** A run of hidden characters can hold the visible rest of an escape sequence, which is plain ASCII and stays. */
function escapeUnsafe(text: string, lines: RegExp, escape: (letter: string) => string): string {
  return replaceHidden(text, (run) => run.replaceAll(/[^ -~]/gu, escape)).replaceAll(lines, escape)
}

const short: { readonly [letter: string]: string } = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u001b': '\\e',
}

function escapeOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  const escaped = short[letter]
  if (escaped !== undefined) return escaped
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return `\\u{${code.toString(16)}}`
}

function cutLines(text: string, most: number): string {
  if (text.length <= most) return text
  return text
    .split('\n')
    .map((line) =>
      line.length <= most
        ? line
        : `${line.slice(0, most)}… (${line.length - most} more characters)`,
    )
    .join('\n')
}

/** JSON that a terminal can show: the same value, with everything that is not a plain letter written as an escape. */
export function safeJson(value: unknown, indent?: number): string {
  return safeJsonText(JSON.stringify(value, undefined, indent) ?? 'null')
}

/** The same for a text that is JSON already, or source whose texts are: it means what it meant. */
export function safeJsonText(text: string): string {
  return escapeUnsafe(text, breaks, jsonEscape)
}

/** By halves where it has two: JSON knows no others. */
function jsonEscape(letter: string): string {
  return Array.from(
    { length: letter.length },
    (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
