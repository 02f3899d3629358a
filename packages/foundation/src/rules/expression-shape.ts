import type { ASTNode } from '@marcbachmann/cel-js'

/** The names that an expression may use. `any` stands for members that only a request decides. */
export type Members = 'any' | 'value' | { readonly [name: string]: Members }

/** The variables of a language with their members. */
export interface Vocabulary {
  readonly [variable: string]: Members
}

/** Properties of an expression, before it is evaluated. */
export interface ExpressionShape {
  /** The variables that it looks at: `args` as a whole, or by its first member, `args.path`. */
  readonly variables: ReadonlySet<string>
  /** How many loops stand inside each other: `all`, `exists`, `map`, `filter`. */
  readonly loops: number
  /** The first name that does not exist, with those that do. */
  readonly unknownMember:
    | { readonly of: string; readonly name: string; readonly known: readonly string[] }
    | undefined
  /** Calls of `matches`: where the name begins in the source, and the pattern, or undefined if it is not a plain text. */
  readonly matches: readonly { readonly at: number; readonly pattern: string | undefined }[]
}

const loopNames = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** Looks at every node of a parsed expression once. */
export function shapeOf(root: ASTNode, source: string, vocabulary: Vocabulary): ExpressionShape {
  const variables = new Set<string>()
  let loops = 0
  let unknownMember: ExpressionShape['unknownMember']
  const matches: { at: number; pattern: string | undefined }[] = []

  function visit(node: ASTNode, depth: number): void {
    loops = Math.max(loops, depth)
    if (node.op === 'id') {
      variables.add(node.args)
    } else if (node.op === '.' || node.op === '.?') {
      unknownMember ??= unknownIn(node, vocabulary)
      const [of, name] = node.args
      if (of.op === 'id') variables.add(`${of.args}.${name}`)
      else visit(of, depth)
    } else if (node.op === 'rcall') {
      const [name, receiver, callArguments] = node.args
      visit(receiver, depth)
      if (name === 'matches') matches.push(readMatches(receiver, callArguments, source))
      for (const each of callArguments) visit(each, loopNames.has(name) ? depth + 1 : depth)
    } else {
      for (const each of childrenOf(node.args)) visit(each, depth)
    }
  }

  visit(root, 0)
  return { variables, loops, unknownMember, matches }
}

function readMatches(receiver: ASTNode, args: readonly ASTNode[], source: string) {
  const at = source.indexOf('matches', receiver.end)
  const [pattern] = args
  return {
    at,
    pattern: pattern?.op === 'value' && typeof pattern.args === 'string' ? pattern.args : undefined,
  }
}

/** Nodes within operands, whatever their arrangement. */
function childrenOf(operands: unknown): readonly ASTNode[] {
  if (Array.isArray(operands)) return operands.flatMap((each: unknown) => childrenOf(each))
  const isNode = typeof operands === 'object' && operands !== null && 'op' in operands
  return isNode ? [operands as ASTNode] : [] // values of literals have no `op`
}

/** `mcp.tol.name` is a mistake to tell at once, not a reason to refuse every call. */
function unknownIn(
  node: Extract<ASTNode, { op: '.' | '.?' }>,
  vocabulary: Vocabulary,
): ExpressionShape['unknownMember'] {
  const names: string[] = []
  let at: ASTNode = node
  while (at.op === '.' || at.op === '.?') {
    names.unshift(at.args[1])
    at = at.args[0]
  }
  if (at.op !== 'id') return undefined
  let path = at.args
  let members: Members | undefined = Object.hasOwn(vocabulary, path) ? vocabulary[path] : 'any'
  for (const name of names) {
    if (members === undefined || members === 'any' || members === 'value') return undefined
    if (!Object.hasOwn(members, name)) return { of: path, name, known: Object.keys(members) }
    members = members[name]
    path = `${path}.${name}`
  }
  return undefined
}
