import type { FormIssue, FormNode } from './describe/form-node.ts'
import { toPointer } from './path.ts'

/** The issues of a value with those of a union told by the shape that was chosen, at its fields. */
export function issuesWithin(node: FormNode, issues: readonly FormIssue[]): readonly FormIssue[] {
  const ownIssues = unionsOf(node).filter(({ path, issues: inner }) => {
    const pointer = toPointer(path)
    return inner.length > 0 && issues.some((issue) => issue.pointer === pointer)
  })
  if (ownIssues.length === 0) return issues
  const pointers = new Set(ownIssues.map(({ path }) => toPointer(path)))
  return [
    ...issues.filter(({ pointer }) => !pointers.has(pointer)),
    ...ownIssues.flatMap(({ issues: inner }) => inner),
  ]
}

function unionsOf(node: FormNode): Extract<FormNode, { kind: 'union' }>[] {
  switch (node.kind) {
    case 'union':
      return [node, ...(node.node ? unionsOf(node.node) : [])]
    case 'object':
      return [...node.members, ...node.extras].flatMap(unionsOf)
    case 'array':
      return node.items.flatMap(unionsOf)
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'choices':
    case 'json':
      return []
  }
}
