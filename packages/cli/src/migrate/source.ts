import { createEdits, type Edits, type Range } from './edits.ts'
import { identifier, nodesIn, part, parts, type Tree, type TreeNode } from './tree.ts'

/** Something that is left to be done by hand. */
export interface Place {
  readonly line: number
  readonly message: string
  readonly link: string
}

/** A source that is being changed. */
export interface Source {
  readonly tree: Tree
  readonly edits: Edits
  /** In the order of the text. */
  readonly places: readonly Place[]
  /** The names to import, by module: what is exported, and what it is called here. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** How the official name is called here, if it is imported. */
  official(name: string): string | undefined
  /** Imports a name, and says what to call it. */
  use(name: string, from: string): string
  /** How Zod is called here. */
  zod(): string
  /** Leaves a comment at a node. */
  leave(node: TreeNode, message: string, chapter: Chapter): void
  /** What a name of the file was given, if that is said once. */
  meaning(name: string | undefined): TreeNode | undefined
  render(node: Range): string
}

/** Where the documentation says more, below `docs/`. */
export const chapters = {
  steps: 'migrating.md#steps',
  'api-names': 'migrating.md#api-names',
  'different-behaviour': 'migrating.md#different-behaviour',
  'server-before-and-after': 'migrating-examples.md#server-before-and-after',
  'low-level-server': 'migrating-low-level.md',
  fastmcp: 'migrating-fastmcp.md',
} as const

/** A part of the documentation that a comment names. */
export type Chapter = keyof typeof chapters

const documentation = 'https://github.com/parley-mcp/parley/blob/main/docs'

export function createSource(tree: Tree): Source {
  const edits = createEdits(tree.text)
  const locations: Place[] = []
  const uses = new Map<string, Map<string, string>>()
  const nodes = [...nodesIn(tree.root)]
  const imports = nodes.filter(({ type }) => type === 'ImportSpecifier')
  const names = new Set(nodes.filter((node) => isReference(tree, node)).map(identifier))
  const values = givenNames(nodes)
  const commented = new Set<string>()

  const use = (name: string, from: string) => {
    const ofModule = uses.get(from) ?? new Map<string, string>()
    const local = ofModule.get(name) ?? (names.has(name) ? otherName(name) : name)
    uses.set(from, ofModule.set(name, local))
    return local
  }

  return {
    tree,
    edits,
    uses,
    use,
    get places() {
      return locations.toSorted((a, b) => a.line - b.line)
    },
    official: (name) =>
      imports
        .filter((candidate) => isOfficial(part(tree.parentOf(candidate), 'source')?.['value']))
        .filter((candidate) => identifier(part(candidate, 'imported')) === name)
        .map((item) => identifier(part(item, 'local')))
        .at(0),
    zod() {
      const from = nodes.filter(
        (node) =>
          node.type === 'ImportDeclaration' &&
          /^zod(\/v4)?$/.test(String(part(node, 'source')?.['value'])),
      )
      const local = from
        .flatMap((item) => parts(item, 'specifiers'))
        .find(
          (candidate) =>
            candidate.type !== 'ImportSpecifier' || identifier(part(candidate, 'imported')) === 'z',
        )
      return identifier(part(local, 'local')) ?? use('z', 'zod')
    },
    leave(node, message, chapter) {
      const at = statementOf(tree, node).start
      const lineStart = tree.text.lastIndexOf('\n', at - 1) + 1
      const indent = /^\s*/.exec(tree.text.slice(lineStart, at))?.[0] ?? ''
      const link = linkTo(chapter)
      const comment = `// parley: ${message} (${link})`
      locations.push({ line: tree.text.slice(0, node.start).split('\n').length, message, link })
      const key = `${lineStart} ${comment}`
      if (commented.has(key) || tree.text.slice(0, lineStart).trimEnd().endsWith(comment)) return
      commented.add(key)
      edits.insert(lineStart, `${indent}${comment}\n`)
    },
    meaning: (name) => (name === undefined ? undefined : values.get(name)),
    render: (range) => edits.render(range),
  }
}

/** Where a chapter is. */
export function linkTo(chapter: Chapter): string {
  return `${documentation}/${chapters[chapter]}`
}

/** Packages whose programs are moved. */
export function isOfficial(name: unknown): boolean {
  return /^(@modelcontextprotocol\/(sdk|server|client|node|core|express|hono)(\/|$)|fastmcp$)/.test(
    String(name),
  )
}

/** Whether an identifier is a name of the file, and no key or member. */
export function isReference(tree: Tree, node: TreeNode): boolean {
  if (identifier(node) === undefined) return false
  const parent = tree.parentOf(node)
  if (parent?.type === 'MemberExpression')
    return part(parent, 'object') === node || parent['computed'] === true
  if (parent?.type === 'Property')
    return part(parent, 'value') === node || parent['computed'] === true
  if (parent?.type === 'ImportSpecifier')
    return (
      part(parent, 'local') === node &&
      !isOfficial(part(tree.parentOf(parent), 'source')?.['value'])
    )
  return (
    !/^(PropertyDefinition|MethodDefinition|TSPropertySignature|TSMethodSignature|LabeledStatement)$/.test(
      parent?.type ?? '',
    ) || part(parent, 'key') !== node
  )
}

/** The nearest statement around a node: comments stand before it. */
function statementOf(tree: Tree, node: TreeNode): TreeNode {
  const parent = tree.parentOf(node)
  if (
    parent === undefined ||
    /^(Program|BlockStatement|SwitchCase|ClassBody|StaticBlock)$/.test(parent.type)
  )
    return node
  return statementOf(tree, parent)
}

function givenNames(nodes: readonly TreeNode[]): ReadonlyMap<string, TreeNode> {
  const values = new Map<string, TreeNode>()
  const twice = new Set<string>()
  for (const node of nodes) {
    const isVariable = node.type === 'VariableDeclarator'
    if (!isVariable && node.type !== 'FunctionDeclaration') continue
    const name = identifier(part(node, 'id'))
    const value = isVariable ? part(node, 'init') : node
    if (name === undefined || value === undefined) continue
    if (values.has(name)) twice.add(name)
    values.set(name, value)
  }
  for (const name of twice) values.delete(name)
  return values
}

function otherName(name: string): string {
  return name === 'createServer' ? 'createMcpServer' : `${name}Mcp`
}
