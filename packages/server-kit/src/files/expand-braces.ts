import { ToolError } from '@parley/mcp'

/** `*.{ts,js}` is `*.ts` and `*.js`; `@(a|b)` and `?(a|b)` are other ways to write the same. */
export function expandBraces(pattern: string): readonly string[] {
  if (pattern.length > longest) throw new ToolError(`A pattern has at most ${longest} characters.`)
  if (/[+*!]\(/.test(pattern.replace(/^!+/, ''))) {
    throw new ToolError('+(…), *(…) and !(…) are not supported in patterns; use {a,b}.')
  }
  const braces = pattern
    .replaceAll(/\?\(([^()]*)\)/g, (_, list: string) => `{,${list.replaceAll('|', ',')}}`)
    .replaceAll(/@\(([^()]*)\)/g, (_, list: string) => `{${list.replaceAll('|', ',')}}`)
  return expand(braces)
}

const longest = 1_000
const maxAlternatives = 1_000

function expand(pattern: string): readonly string[] {
  let done: readonly string[] = ['']
  let rest = pattern
  for (;;) {
    const group = firstGroup(rest)
    if (group === undefined) return join(done, [rest])
    const choices = group.choices.flatMap(expand)
    done = join(
      done,
      choices.map((choice) => `${rest.slice(0, group.start)}${choice}`),
    )
    rest = rest.slice(group.end)
  }
}

function join(left: readonly string[], right: readonly string[]): readonly string[] {
  if (left.length * right.length > maxAlternatives) {
    throw new ToolError(`A pattern has at most ${maxAlternatives} alternatives.`)
  }
  return left.flatMap((item) => right.map((other) => `${item}${other}`))
}

interface Group {
  readonly start: number
  /** Behind the closing brace. */
  readonly end: number
  readonly choices: readonly string[]
}

/** The first `{a,b}` or `{1..3}`; braces without either are letters like any other. */
function firstGroup(pattern: string): Group | undefined {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    const group = groupAt(pattern, start)
    if (group !== undefined) return group
  }
  return undefined
}

function groupAt(pattern: string, start: number): Group | undefined {
  const choices: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '\\') at += 1
    else if (character === '{') depth += 1
    else if (character === ',' && depth === 1) {
      choices.push(pattern.slice(from, at))
      from = at + 1
    } else if (character === '}' && (depth -= 1) === 0) {
      const last = pattern.slice(from, at)
      const all = choices.length > 0 ? [...choices, last] : range(last)
      return all && { start, end: at + 1, choices: all }
    }
  }
  return undefined
}

/** `1..3` */
function range(text: string): readonly string[] | undefined {
  const [, from, to] = /^(\d{1,6})\.\.(\d{1,6})$/.exec(text) ?? []
  if (from === undefined || to === undefined) return undefined
  const [low, high] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))]
  if (high - low >= maxAlternatives) {
    throw new ToolError(`A pattern has at most ${maxAlternatives} alternatives.`)
  }
  return Array.from({ length: high - low + 1 }, (_, index) => `${low + index}`)
}
