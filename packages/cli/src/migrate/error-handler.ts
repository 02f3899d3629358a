import { removeStatement } from './registrations.ts'
import { addOptions } from './schemas.ts'
import { isReference, type Source } from './source.ts'
import { identifier, isFunction, nodesIn, part, parts, type TreeNode } from './tree.ts'

/** `server.onerror = handler` becomes an option of the server. False if it cannot be told that it means the same there. */
export function moveErrorHandler(source: Source, assignment: TreeNode, server: string): boolean {
  const statement = source.tree.parentOf(assignment)
  const handler = part(assignment, 'right')
  const [created, ...others] = creations(source, server)
  const [info] = parts(created, 'arguments')
  if (statement?.type !== 'ExpressionStatement' || !isFunction(handler)) return false
  if (created === undefined || others.length > 0 || info?.type !== 'ObjectExpression') return false
  if (!meansTheSame(source, handler, assignment, created)) return false
  addOptions(source, info, [`onError: ${source.tree.textOf(handler)}`])
  removeStatement(source, statement)
  return true
}

/** Where servers of this name are made. */
function creations(source: Source, server: string): readonly TreeNode[] {
  const official = [source.official('McpServer'), source.official('Server')]
  return [...nodesIn(source.tree.root)].filter((node) => {
    const name = node.type === 'NewExpression' ? identifier(part(node, 'callee')) : undefined
    if (name === undefined || !official.includes(name)) return false
    const parent = source.tree.parentOf(node)
    const isMember = parent?.type === 'PropertyDefinition'
    const target = part(parent, 'id') ?? part(parent, 'left') ?? part(parent, 'key')
    const end = part(target, 'typeAnnotation')?.start ?? target?.end ?? 0
    const text = target === undefined ? '' : source.tree.text.slice(target.start, end)
    return (isMember ? `this.${text}` : text) === server
  })
}

/** Whether the function sees the same names at both places. */
function meansTheSame(source: Source, fn: TreeNode, from: TreeNode, to: TreeNode): boolean {
  const [here, there] = [around(source, from, isFunction), around(source, to, isFunction)]
  if (here === there) return true
  const isClass = ({ type }: TreeNode) => type === 'ClassBody'
  const usesThis = [...nodesIn(fn)].some(({ type }) => type === 'ThisExpression')
  if (usesThis && around(source, from, isClass) !== around(source, to, isClass)) return false
  if (here === undefined) return true
  const own = new Set(
    [...nodesIn(here)]
      .filter(({ type }) => type === 'VariableDeclarator' || type === 'FunctionDeclaration')
      .map((node) => identifier(part(node, 'id')))
      .concat(parts(here, 'params').flatMap((item) => [...nodesIn(item)].map(identifier))),
  )
  const inside = new Set(parts(fn, 'params').flatMap((item) => [...nodesIn(item)].map(identifier)))
  return ![...nodesIn(fn)].some((node) => {
    const name = identifier(node)
    return own.has(name) && !inside.has(name) && isReference(source.tree, node)
  })
}

function around(
  source: Source,
  node: TreeNode,
  isWanted: (node: TreeNode) => boolean,
): TreeNode | undefined {
  const parent = source.tree.parentOf(node)
  return parent === undefined || isWanted(parent) ? parent : around(source, parent, isWanted)
}
