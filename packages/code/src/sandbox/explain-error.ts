import type { ProgramPosition, ThrownError } from './messages.ts'

/** What to write instead of what a program does not have. */
const lessons: readonly (readonly [RegExp, string])[] = [
  [
    /^(setTimeout|setInterval|setImmediate) is not defined/,
    'there are no timers: await sleep(milliseconds)',
  ],
  [
    /^(fetch|XMLHttpRequest|WebSocket|URL|URLSearchParams|Headers) is not defined/,
    'there is no network: call one of the tools',
  ],
  [
    /^(require|module|exports|process|Buffer|fs|path|__dirname) is not defined/,
    'there are no modules and no Node: plain JavaScript, tools, args, console, show and sleep are all there is',
  ],
  [
    /^(window|document|localStorage|navigator) is not defined/,
    'there is no page: plain JavaScript, tools, args, console, show and sleep are all there is',
  ],
  [
    /^(atob|btoa|TextEncoder|TextDecoder|crypto|structuredClone|performance) is not defined/,
    'only the built-ins of the language are there',
  ],
  [
    /is not iterable|not a function/,
    'print the shape of the value with console.log before you use it',
  ],
]

const typeScript =
  /^\s*(interface|type|enum|namespace|declare|abstract)\s|\)\s*:\s*[\w<>[\]| ]+\s*(=>|\{)|(const|let|var)\s+\w+\s*:|\bas\s+(const|unknown|any|[A-Z]\w*)|\w\s*:\s*(string|number|boolean|any|unknown)\b/
const moduleSyntax = /^\s*(import\s|import\(|export\s)/

/** What went wrong, where, the line itself, and what to write instead if that is known. */
export function explainError(error: ThrownError, program: string): string {
  const { name, message, at } = error
  const what = name === '' ? `the program threw ${message}` : `${name}: ${message}`
  const line = at === undefined ? undefined : program.split('\n')[at.line - 1]
  const place =
    at === undefined || line === undefined
      ? ''
      : `\nline ${at.line}, column ${at.column}: ${excerpt(line, at)}`
  const lesson = lessonOf(error, line ?? '')
  return `${what}${place}${lesson === undefined ? '' : `\n${lesson}`}`
}

function excerpt(line: string, { column }: ProgramPosition): string {
  const from = Math.max(0, column - 60)
  const text = line.slice(from, from + 160).trim()
  return `${from > 0 ? '…' : ''}${text}${line.length > from + 160 ? '…' : ''}`
}

function lessonOf({ name, message }: ThrownError, line: string): string | undefined {
  if (name === 'SyntaxError') {
    if (moduleSyntax.test(line)) {
      return 'there are no modules: the program is the body of an async function, and tools is there already'
    }
    if (typeScript.test(line)) return 'TypeScript is not understood: leave the types out'
    return undefined
  }
  return lessons.find(([sign]) => sign.test(message))?.[1]
}
