import { memberOf, readDocument, type ConfigNode } from './config-document.ts'

/** Puts a value at a path in the text of a JSON file; not a space elsewhere changes. */
export function setInJson(text: string, path: readonly string[], value: unknown): string {
  const style = styleOf(text)
  let node = readDocument(text, 'json').root
  let depth = 0
  for (const name of path) {
    const next = memberOf(node, name)?.node
    if (next === undefined || node === undefined) break
    node = next
    depth += 1
  }
  const rest = path.slice(depth)
  const [name, ...below] = rest
  const isObject = node?.members !== undefined && text[node.start] === '{'
  if (node === undefined || (name !== undefined && !isObject)) {
    throw new Error(`${path.slice(0, depth).join('.') || 'the file'} is not an object`)
  }
  if (name === undefined) {
    return splice(text, node.start, node.end, write(value, depth, style))
  }
  const nested = below.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return insertMember(
    text,
    node,
    `${JSON.stringify(name)}: ${write(nested, depth + 1, style)}`,
    depth,
    style,
  )
}

interface Style {
  readonly indent: string
  readonly eol: string
}

function styleOf(text: string): Style {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

function insertMember(
  text: string,
  node: ConfigNode,
  member: string,
  depth: number,
  { indent, eol }: Style,
): string {
  const line = eol + indent.repeat(depth + 1)
  const last = node.members.at(-1)
  if (last !== undefined) return splice(text, last.node.end, last.node.end, `,${line}${member}`)
  const after = eol + indent.repeat(depth)
  return splice(
    text,
    node.start + 1,
    node.start + 1,
    line + member + (isBare(text, node) ? after : ''),
  )
}

/** Whether nothing but spaces stands between the braces, all on one line. */
function isBare(text: string, { start, end }: ConfigNode): boolean {
  return !text.slice(start, end).includes('\n')
}

function write(value: unknown, depth: number, { indent, eol }: Style): string {
  const text = JSON.stringify(value, undefined, indent)
  return text.replaceAll('\n', eol + indent.repeat(depth))
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}
