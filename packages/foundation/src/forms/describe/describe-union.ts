import type { JsonValue } from '@parley/mcp'

import { locateIssue } from '../issues.ts'
import { toPointer } from '../path.ts'
import { bestVariant, isPossible } from '../schema/match.ts'
import type { ResolvedVariant } from '../schema/settle.ts'
import { convertValue } from '../values/make-value.ts'
import { asJson, type FormContext, type Slot } from './form-context.ts'
import type { FormNode, NodeBase } from './form-node.ts'
import { labelVariants } from './variant-label.ts'

const maximumAbsentDepth = 3

/** A choice between shapes, and the value in the one it has. */
export function describeUnion(
  context: FormContext,
  variants: readonly ResolvedVariant[],
  base: NodeBase,
  value: JsonValue | undefined,
  slot: Slot,
): FormNode {
  const { source } = context
  const selected = select(context, variants, base, value, slot)
  const shown = variants[selected]
  const isMissing = value === undefined || value === null
  const inner: Slot = {
    ...slot,
    name: base.label,
    depth: slot.depth + 1,
    absentDepth: slot.absentDepth + (value === undefined ? 1 : 0),
  }
  const node = shown ? context.describe(context, shown.subject, value, inner) : undefined

  return {
    ...base,
    kind: 'union',
    selected,
    issues:
      shown && !isMissing
        ? source.checker
            .explain(shown.location, value)
            .map((issue) => locateIssue(issue, slot.path))
        : [],
    node: node ?? (isMissing ? undefined : asJson(base, value, 'mismatch')),
    variants: labelVariants(source, variants).map((label, index) => ({
      ...label,
      start: () => convertValue({ ...source, budget: 20_000 }, variants[index]!.subject, value),
    })),
  }
}

function select(
  { source, chosen }: FormContext,
  variants: readonly ResolvedVariant[],
  base: NodeBase,
  value: JsonValue | undefined,
  { path, required, absentDepth }: Slot,
): number {
  if (base.presence === 'null' && base.nullable) return -1
  const wish = chosen.get(toPointer(path)) ?? -1
  const wished = variants[wish]
  if (value === undefined) {
    if (wished) return wish
    return required && absentDepth < maximumAbsentDepth ? 0 : -1
  }
  if (wished && isPossible(source, wished.subject, value)) return wish
  return bestVariant(source, variants, value)
}
