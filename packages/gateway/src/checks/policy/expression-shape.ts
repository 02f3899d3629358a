import type { ASTNode } from '@marcbachmann/cel-js'

import { policyMembers, type Members } from './policy-members.ts'

/** What is known of an expression before it is evaluated. */
export interface ExpressionShape {
  /** Whether it looks at arguments: it cannot always be decided for a list. */
  readonly usesArguments: boolean
  /** Whether it looks at the resource that a request is about, or at all of `mcp`. */
  readonly usesResources: boolean
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
export function shapeOf(root: ASTNode, source: string): ExpressionShape {
  let usesArguments = false
  let usesResources = false
  let loops = 0
  let unknownMember: ExpressionShape['unknownMember']
  const matches: { at: number; pattern: string | undefined }[] = []

  function visit(node: ASTNode, depth: number): void {
    loops = Math.max(loops, depth)
    if (node.op === 'id') {
      usesArguments ||= node.args === 'args'
      usesResources ||= node.args === 'mcp'
    } else if (node.op === '.' || node.op === '.?') {
      unknownMember ??= unknownIn(node)
      const [of, name] = node.args
      const isOtherPart = of.op === 'id' && of.args === 'mcp' && name !== 'resource'
      if (!isOtherPart) visit(of, depth)
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
  return { usesArguments, usesResources, loops, unknownMember, matches }
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
function unknownIn(node: Extract<ASTNode, { op: '.' | '.?' }>): ExpressionShape['unknownMember'] {
  const names: string[] = []
  let at: ASTNode = node
  while (at.op === '.' || at.op === '.?') {
    names.unshift(at.args[1])
    at = at.args[0]
  }
  if (at.op !== 'id') return undefined
  let path = at.args
  let members: Members | undefined = Object.hasOwn(policyMembers, path)
    ? policyMembers[path]
    : 'any'
  for (const name of names) {
    if (members === undefined || members === 'any' || members === 'value') return undefined
    if (!Object.hasOwn(members, name)) return { of: path, name, known: Object.keys(members) }
    members = members[name]
    path = `${path}.${name}`
  }
  return undefined
}
