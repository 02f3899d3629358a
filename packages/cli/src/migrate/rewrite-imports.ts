/**
 * Names `@parley/compat` where a program imports `@modelcontextprotocol/sdk`, whose interface it has.
 *
 * Changes the text between two quotes and nothing else, so the program does what it did. Sources are scanned, not parsed: strings,
 * templates, comments and regular expressions are told apart, and a string is an import by the words before it. A mention that is no
 * import, or of a path or package that Parley does not stand for, is left and returned as a place. `parley migrate` shows both.
 */

import { isJsonObject } from '@parley/mcp/json'

const official = '@modelcontextprotocol/sdk'
const own = '@parley/compat'
/** The release of the official SDK that `@parley/compat` equals. */
const wanted = '^1.32.200'

/** A mention of another SDK that was left as it is. */
export interface Location {
  readonly line: number
  readonly message: string
}

/** A file after the change. */
export interface Rewritten {
  readonly text: string
  readonly edits: number
  readonly locations: readonly Location[]
}

const known =
  /^@modelcontextprotocol\/sdk\/(?:(?:client|experimental|server|shared|validation)(?:\/.+)?|(?:types|spec\.types|inMemory)\.js)$/
const importing =
  /(?:^|[^\w$.])(?:from|import|declare module|(?:import|import\.meta\.resolve|(?:module\.)?require(?:\.resolve)?)\s*\()\s*$/
const importedType = /(import\(\s*['"])([^'"\n]+)['"]/g
/** Packages that have another interface. */
const others =
  /^(?:@modelcontextprotocol\/(?:server|client|core|node|express|hono)|fastmcp)(?:\/|$)/

/** Rewrites a source; undefined if it mentions no other SDK. */
export function rewriteImports(text: string): Rewritten | undefined {
  if (!/@modelcontextprotocol\/|['"]fastmcp['"]/.test(text)) return undefined
  const starts: number[] = []
  const locations: Location[] = []
  const leave = (start: number, message: string) =>
    locations.push({ line: text.slice(0, start).split('\n').length, message })

  for (const { kind, start, content, before } of tokens(text)) {
    const isImport = kind === 'string' && importing.test(before)
    if (kind === 'comment') {
      // JSDoc imports types.
      for (const { index, 1: open = '', 2: name = '' } of content.matchAll(importedType)) {
        if (known.test(name)) starts.push(start + index + open.length)
      }
    } else if (isImport && known.test(content)) starts.push(start)
    else if (isImport && content.startsWith(official)) leave(start, `${content} has no equal here`)
    else if (isImport && others.test(content)) leave(start, `${content} has another interface`)
    else if (content.includes(official)) leave(start, `a text names ${official}`)
  }

  let at = 0
  let made = ''
  for (const start of starts) {
    made += text.slice(at, start) + own
    at = start + official.length
  }
  return { text: made + text.slice(at), edits: starts.length, locations }
}

/** Rewrites the dependencies of a `package.json`. The old one stays if a source still needs it. */
export function rewriteManifest(text: string, isStillNeeded: boolean): Rewritten | undefined {
  const parsed = text.includes(`"${official}"`) ? parse(text) : undefined
  if (!isJsonObject(parsed)) return undefined
  const after = { ...parsed }
  let edits = 0
  for (const section of ['dependencies', 'devDependencies', 'peerDependencies']) {
    const ranges = parsed[section]
    const range = isJsonObject(ranges) ? ranges[official] : undefined
    if (typeof range !== 'string' || !/^[\^~>=v\s]*1\b/.test(range)) continue
    const entries = Object.entries(ranges as object).filter(
      ([name]) => name !== official || isStillNeeded,
    )
    after[section] = Object.fromEntries(
      [...entries, [own, wanted] as const].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
    edits++
  }
  const rest = text
    .split('\n')
    .flatMap((line, index) =>
      line.includes(`"${official}"`) && !/"[\^~>=v\s]*1\b[^"]*",?\s*$/.test(line)
        ? [{ line: index + 1, message: `${official} is not version 1 from npm here` }]
        : [],
    )
  if (edits === 0) return { text, edits, locations: rest }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const end = text.endsWith('\n') ? '\n' : ''
  return { text: JSON.stringify(after, undefined, indent) + end, edits, locations: rest }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Token {
  readonly kind: 'comment' | 'string' | 'template'
  /** Where the content starts, after the quote. */
  readonly start: number
  readonly content: string
  /** The code before it, without comments. */
  readonly before: string
}

const lexeme =
  /\s+|(\/\/.*|\/\*[^]*?\*\/)|'((?:\\[^]|[^'\\\n])*)'|"((?:\\[^]|[^"\\\n])*)"|[\w$]+|[^]/y
const expression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const chunk = /(?:\\[^]|\$(?!\{)|[^\\`$])*/y
/** A slash after these starts a regular expression. Not after `<` and `>`: JSX has more of those. */
const beforeExpression =
  /(?:^|=>|[=(,:[!&|?{;+*%~^-]|(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|throw|yield|await))\s*$/

/** Yields comments, strings and the parts of templates. */
function* tokens(text: string): Generator<Token> {
  /** The braces that are open in each `${`. */
  const braces: number[] = []
  let before = ''
  let at = 0
  const match = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from
    return pattern.exec(text)
  }
  while (at < text.length) {
    const [all = '', comment, single, double] = match(lexeme, at) ?? []
    const content = single ?? double
    const depth = braces.at(-1)
    let length = all.length
    let code = all
    if (comment !== undefined) {
      yield { kind: 'comment', start: at, content: comment, before }
      code = ' '
    } else if (content !== undefined) {
      yield { kind: 'string', start: at + 1, content, before }
      code = '""'
    } else if (all === '`' || (all === '}' && depth === 0)) {
      const part = match(chunk, at + 1)?.[0] ?? ''
      yield { kind: 'template', start: at + 1, content: part, before }
      const isSubstitution = text.startsWith('${', at + 1 + part.length)
      if (all === '}') braces.pop()
      if (isSubstitution) braces.push(0)
      length = 1 + part.length + (isSubstitution ? 2 : 1)
      code = isSubstitution ? '${' : '""'
    } else if (all === '/' && beforeExpression.test(before)) {
      length = match(expression, at)?.[0].length ?? 1
      code = '""'
    } else if (depth !== undefined && (all === '{' || all === '}')) {
      braces[braces.length - 1] = depth + (all === '{' ? 1 : -1)
    }
    before = (before + code).slice(-60)
    at += length
  }
}
