const key = String.raw`(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)`
const dotted = String.raw`${key}(?:[ \t]*\.[ \t]*${key})*`
const header = new RegExp(String.raw`^[ \t]*\[\[?[ \t]*(${dotted})[ \t]*\]`)
const assignment = new RegExp(String.raw`^[ \t]*(${dotted})[ \t]*=`)

/** Below this nothing is asked for its line. */
const maxNames = 6

/** Something that a line of a TOML text begins with: a header of a table, or a name. */
interface TomlLine {
  /** Counted from 0. */
  readonly line: number
  readonly path: readonly string[]
  readonly isHeader: boolean
}

function* tomlPaths(lines: readonly string[]): Generator<TomlLine> {
  let table: readonly string[] = []
  let quotes: string | undefined
  for (const [line, text] of lines.entries()) {
    const isInText = quotes !== undefined
    quotes = quotesAfter(text, quotes)
    if (isInText) continue
    const [, named] = header.exec(text) ?? []
    const [, assigned] = assignment.exec(text) ?? []
    if (named !== undefined) table = namesOf(named)
    if ((named ?? assigned) === undefined) continue
    const path = assigned === undefined ? table : [...table, ...namesOf(assigned)]
    yield { line, path, isHeader: named !== undefined }
  }
}

/** The headers of a TOML text, with the lines they stand on, counted from 0. */
export function tomlHeaders(
  lines: readonly string[],
): readonly { readonly line: number; readonly path: readonly string[] }[] {
  return [...tomlPaths(lines)].filter(({ isHeader }) => isHeader)
}

/** The line on which a path of a TOML text stands first. The library that reads the values tells no places. */
export function tomlLines(text: string): (path: readonly string[]) => number | undefined {
  const found = new Map<string, number>()
  for (const { line, path } of tomlPaths(text.split('\n'))) {
    for (let length = 1; length <= Math.min(path.length, maxNames); length += 1) {
      const pointer = JSON.stringify(path.slice(0, length))
      if (!found.has(pointer)) found.set(pointer, line + 1)
    }
  }
  return (path) => found.get(JSON.stringify(path))
}

/** The quotes of a text of several lines that is still open at the end of this one. */
function quotesAfter(line: string, before: string | undefined): string | undefined {
  let open = before
  for (const [quotes] of line.matchAll(/"""|'''/g)) {
    if (open === undefined) open = quotes
    else if (open === quotes) open = undefined
  }
  return open
}

function namesOf(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(key, 'g'))].map(([name]) => plainName(name))
}

function plainName(name: string): string {
  if (name.startsWith("'")) return name.slice(1, -1)
  if (!name.startsWith('"')) return name
  try {
    return String(JSON.parse(name))
  } catch {
    return name // only its line is not found
  }
}
