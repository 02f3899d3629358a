/** What is wrong with YAML, and in which line; never leaves this folder. */
export class YamlProblem extends Error {
  constructor(line: number, why: string) {
    super(`line ${line} ${why}`)
  }
}

/** One line, its indentation taken off. */
export interface YamlLine {
  readonly number: number
  readonly indent: number
  readonly text: string
}

/** Lines, and how far they have been read. */
export interface YamlLines {
  readonly lines: YamlLine[]
  at: number
}

/** Deeper than this is no frontmatter anybody wrote. */
const deepest = 16

/** Lines of YAML, numbered from `first`. */
export function splitLines(text: string, first: number): YamlLines {
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => {
    const number = first + index
    if (hasControlCharacter(line)) throw new YamlProblem(number, 'has a control character')
    if (line.includes('\t') && isBlank(line)) {
      throw new YamlProblem(number, 'has nothing in it but a tab')
    }
    const indent = line.length - line.replace(/^ +/, '').length
    return { number, indent, text: line.slice(indent) }
  })
  return { lines, at: 0 }
}

/** The next line that says something; comments and blank lines before it are passed over. */
export function nextContent(source: YamlLines): YamlLine | undefined {
  for (; source.at < source.lines.length; source.at += 1) {
    const line = source.lines[source.at]
    if (line === undefined || isBlank(line.text) || line.text.startsWith('#')) continue
    if (line.text.startsWith('\t')) throw new YamlProblem(line.number, 'is indented with a tab')
    if (line.indent === 0 && /^(?:\.\.\.|---)(?:\s|$)/.test(line.text)) {
      throw new YamlProblem(line.number, 'begins or ends a document, and only one is understood')
    }
    return line
  }
  return undefined
}

/** Counts the blank lines before the next line that is indented below `above`; undefined when there is no such line. */
export function blanksBefore(source: YamlLines, above: number): number | undefined {
  for (let blanks = 0; ; blanks += 1) {
    const line = source.lines[source.at + blanks]
    if (line === undefined) return undefined
    if (!isBlank(line.text)) return line.indent > above ? blanks : undefined
  }
}

/** The number of the line that was read last. */
export function lineNumber(source: YamlLines): number {
  return source.lines[Math.max(0, source.at - 1)]?.number ?? 1
}

/** Throws when collections are nested too deeply. */
export function checkDepth(depth: number, line: number): void {
  if (depth > deepest) throw new YamlProblem(line, `is nested more than ${deepest} deep`)
}

/** Nothing but blanks. */
export function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text)
}

/** Nothing, or a comment with a blank before it. */
export function isRestEmpty(rest: string): boolean {
  return isBlank(rest) || /^[ \t]+#/.test(rest)
}

function hasControlCharacter(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return /[\x00-\x08\x0b-\x1f\x7f]/.test(text)
}
