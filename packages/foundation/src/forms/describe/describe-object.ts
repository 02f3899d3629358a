import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { member, memberNames } from '../json.ts'
import { gather, type Subject } from '../schema/gather.ts'
import type { Shape } from '../schema/shape.ts'
import { subjectOf } from '../schema/subject.ts'
import { makeValue } from '../values/make-value.ts'
import { asJson, type FormContext, type Slot } from './form-context.ts'
import type { FormNode, NodeBase } from './form-node.ts'
import { furtherNames, declaredNames, memberRules } from './members.ts'

/** Absent objects that must be there are shown ahead so deep and no deeper, so that recursion ends. */
const maximumAbsentDepth = 3

/** An object's fields: every name the schema gives, and every member the value has besides. */
export function describeObject(
  context: FormContext,
  subject: Subject,
  shape: Shape,
  base: NodeBase,
  value: JsonValue | undefined,
  slot: Slot,
): FormNode {
  const { source } = context
  const present = isJsonObject(value) ? value : {}
  const names = memberNames(present)
  if (names.length > context.nodes) return asJson(base, value, 'large')
  const existing = declaredNames(shape)
  const isShown = base.presence === 'value' || (base.presence === 'absent' && isAhead(slot))
  const absent = isShown ? [...existing].filter((name) => member(present, name) === undefined) : []
  const maxShown = Math.max(0, context.nodes - names.length)
  const shown = new Set(absent.slice(0, maxShown))

  const describeMember = (name: string): FormNode => {
    const { locations, isUnsure } = memberRules(source, shape, name)
    const inner = member(present, name)
    const isAbsent = base.presence !== 'value'
    const memberSlot: Slot = {
      path: [...slot.path, name],
      name,
      required: shape.required.has(name),
      depth: slot.depth + 1,
      absentDepth: isAbsent ? slot.absentDepth + 1 : 0,
    }
    const node = context.describe(context, subjectOf(locations), inner, memberSlot)
    return isUnsure ? asJson(node, inner, 'unknown') : node
  }

  return {
    ...base,
    kind: 'object',
    members: [...existing]
      .filter((name) => shown.has(name) || member(present, name) !== undefined)
      .map(describeMember),
    extras: names.filter((name) => !existing.has(name)).map(describeMember),
    hidden: absent.length - shown.size,
    more: furtherNames(shape),
    namePatterns: shape.objects.flatMap(({ patterns }) => Object.keys(patterns)).slice(0, 20),
    startMember: (name) => {
      const fresh = { ...source, budget: 20_000 }
      const whole = gather(fresh, subject, value)
      return makeValue(fresh, subjectOf(memberRules(fresh, whole, name).locations), 'start')
    },
  }
}

function isAhead({ required, absentDepth }: Slot): boolean {
  return required && absentDepth < maximumAbsentDepth
}
