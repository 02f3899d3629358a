import type { JsonValue } from '@parley/mcp'

import type { FormNode } from '../describe/form-node.ts'

/** The value a form shows, read back from its fields. */
export function readForm(node: FormNode): JsonValue | undefined {
  if (node.presence === 'absent') return undefined
  if (node.presence === 'null') return null
  switch (node.kind) {
    case 'object':
      // `fromEntries` defines members, so a name such as `__proto__` stays a member.
      return Object.fromEntries(
        [...node.members, ...node.extras]
          .map((member) => [String(member.path.at(-1)), readForm(member)] as const)
          .filter(([, value]) => value !== undefined),
      )
    case 'array':
      return node.items.map((item) => readForm(item) ?? null)
    case 'union':
      return node.node && readForm(node.node)
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'choices':
    case 'json':
      return node.value
  }
}
