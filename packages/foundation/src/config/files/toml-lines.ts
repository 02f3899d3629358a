const key = String.raw`(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)`
const dotted = String.raw`${key}(?:[ \t]*\.[ \t]*${key})*`
const header = new RegExp(String.raw`^[ \t]*\[\[?[ \t]*(${dotted})[ \t]*\]`)
const assignment = new RegExp(String.raw`^[ \t]*(${dotted})[ \t]*=`)

/** Below this nothing is asked for its line. */
const mostNames = 6

/** The line on which a path of a TOML text stands first. The library that reads the values tells no places. */
export function tomlLines(text: string): (path: readonly string[]) => number | undefined {
  const found = new Map<string, number>()
  let table: readonly string[] = []
  let quotes: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const isInText = quotes !== undefined
    quotes = quotesAfter(line, quotes)
    if (isInText) continue
    const [, named] = header.exec(line) ?? []
    const [, assigned] = assignment.exec(line) ?? []
    if (named !== undefined) table = namesOf(named)
    const path = assigned === undefined ? table : [...table, ...namesOf(assigned)]
    if ((named ?? assigned) === undefined) continue
    for (let length = 1; length <= Math.min(path.length, mostNames); length += 1) {
      const place = JSON.stringify(path.slice(0, length))
      if (!found.has(place)) found.set(place, index + 1)
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
