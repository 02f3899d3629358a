import { isOfficial, isReference, type Source } from './source.ts'
import { identifier, nodesIn, part, parts, parseTree, type Tree, type TreeNode } from './tree.ts'

/** Drops official imports that nothing uses any more, and adds ours. Undefined if the text does not parse. */
export async function exchangeImports(
  file: string,
  text: string,
  uses: Source['uses'],
): Promise<string | undefined> {
  const tree = await parseTree(file, text)
  if (tree === undefined) return undefined
  const used = new Set<string>()
  const made = new Set<string | undefined>()
  for (const node of nodesIn(tree.root)) {
    const name = identifier(node)
    const isImport = tree.parentOf(node)?.type.startsWith('Import') === true
    if (node.type === 'NewExpression') made.add(identifier(part(node, 'callee')))
    if (name !== undefined && !isImport && isReference(tree, node)) used.add(name)
  }
  // A type of ours may have the name of an official class, which then goes unless it is still made.
  for (const [name, local] of [...uses.values()].flatMap((names) => [...names])) {
    const plain = local.replace('type ', '')
    if (name.startsWith('type ') && !made.has(plain)) used.delete(plain)
  }
  const imports = parts(tree.root, 'body').filter(({ type }) => type === 'ImportDeclaration')
  const official = imports.filter((candidate) => isOfficial(part(candidate, 'source')?.['value']))
  const ours = importLines(uses, quoteOf(tree, imports[0]), imports, made)
  const first = official[0]
  let result = text
  for (const item of official.toReversed()) {
    const all = parts(item, 'specifiers')
    const usedSpecifiers = all.filter((specifier) =>
      used.has(identifier(part(specifier, 'local')) ?? ''),
    )
    const isChanged = usedSpecifiers.length < all.length
    const line = !isChanged
      ? tree.textOf(item)
      : usedSpecifiers.length === 0
        ? ''
        : rewritten(tree, item, usedSpecifiers)
    const added = item === first ? ours : []
    const lines = [...added, ...(line === '' ? [] : [line])]
    const end = lines.length === 0 && text[item.end] === '\n' ? item.end + 1 : item.end
    result = result.slice(0, item.start) + lines.join('\n') + result.slice(end)
  }
  if (first !== undefined || ours.length === 0) return result
  const last = imports.at(-1)
  if (last !== undefined)
    return `${result.slice(0, last.end)}\n${ours.join('\n')}${result.slice(last.end)}`
  const start = /^#!.*\n/.exec(result)?.[0].length ?? 0
  return `${result.slice(0, start)}${ours.join('\n')}\n${result.slice(start)}`
}

function rewritten(tree: Tree, declaration: TreeNode, usedSpecifiers: readonly TreeNode[]): string {
  const source = part(declaration, 'source')
  const kind = declaration['importKind'] === 'type' ? 'import type' : 'import'
  const names = usedSpecifiers.map((item) => tree.textOf(item)).join(', ')
  const tail = tree.text.slice(source?.start, declaration.end)
  return `${kind} { ${names} } from ${tail}`
}

interface Style {
  readonly quote: string
  readonly end: string
}

function quoteOf(tree: Tree, declaration: TreeNode | undefined): Style {
  const text = declaration === undefined ? "'';" : tree.textOf(declaration)
  return { quote: text.includes('"') ? '"' : "'", end: text.endsWith(';') ? ';' : '' }
}

function importLines(
  uses: Source['uses'],
  { quote, end }: Style,
  imports: readonly TreeNode[],
  made: ReadonlySet<string | undefined>,
): readonly string[] {
  return [...uses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, names]) => [from, missing(from, names, imports, made)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([from, names]) => `import { ${names.join(', ')} } from ${quote}${from}${quote}${end}`)
}

/** What is not imported already, for example by an earlier run. */
function missing(
  from: string,
  names: ReadonlyMap<string, string>,
  imports: readonly TreeNode[],
  made: ReadonlySet<string | undefined>,
): readonly string[] {
  const there = imports
    .filter((candidate) => part(candidate, 'source')?.['value'] === from)
    .flatMap((item) => parts(item, 'specifiers'))
    .map((item) => identifier(part(item, 'local')))
  return [...names]
    .filter(([name]) => !name.startsWith('type ') || !made.has(name.replace('type ', '')))
    .filter(([, local]) => !there.includes(local.replace('type ', '')))
    .map(([name, local]) => (name === local ? name : `${name} as ${local.replace('type ', '')}`))
    .toSorted()
}
