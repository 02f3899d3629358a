import type { ConfigDocument, ConfigMember, ConfigNode } from './config-document.ts'
import { loadToml } from './load-toml.ts'
import { maxLevels, tooDeep } from './nesting.ts'
import { tomlLines } from './toml-lines.ts'

/** Reads TOML. A broken file is not read at all, as by the products that use it. Total. */
export function readToml(text: string): ConfigDocument {
  const { parse, TomlError } = loadToml()
  try {
    const lineAt = tomlLines(text)
    return { root: tomlNode(parse(text, { maxDepth: maxLevels }), [], 1, lineAt), problems: [] }
  } catch (error) {
    if (error instanceof TooDeep) return broken(tooDeep)
    if (!(error instanceof TomlError)) return broken(String(error))
    const { line, column, message } = error
    return broken(`${shortened(message)} (column ${column})`, line)
  }
}

class TooDeep extends Error {}

function broken(message: string, line = 1): ConfigDocument {
  return { root: undefined, problems: [{ line, offset: 0, message }] }
}

/** Without the extract of the file that follows. */
function shortened(message: string): string {
  const [first = message] = message.split('\n', 1)
  return first.replace(/^Invalid TOML document: /, '')
}

function tomlNode(
  value: unknown,
  path: readonly string[],
  parentLine: number,
  lineAt: (path: readonly string[]) => number | undefined,
): ConfigNode {
  if (path.length > maxLevels) throw new TooDeep()
  const line = lineAt(path) ?? parentLine
  const base = { line, start: 0, end: 0, members: [], items: [] }
  if (Array.isArray(value)) {
    const items = value.map((item, at) => tomlNode(item, [...path, `${at}`], line, lineAt))
    return { ...base, items, value: items.map((item) => item.value) }
  }
  if (value instanceof Date) return { ...base, value: value.toISOString() }
  if (typeof value !== 'object' || value === null) return { ...base, value }
  const members = Object.entries(value).map(([name, inner]): ConfigMember => {
    const node = tomlNode(inner, [...path, name], line, lineAt)
    return { name, line: node.line, node }
  })
  const pairs = members.map(({ name, node }) => [name, node.value] as const)
  return { ...base, members, value: Object.fromEntries(pairs) }
}
