import type { JsonValue } from '@parley/mcp'

import { isJsonArray, isSame } from '../json.ts'
import type { Source } from '../schema/gather.ts'
import { resolve } from '../schema/settle.ts'
import type { Shape } from '../schema/shape.ts'
import { subjectOf } from '../schema/subject.ts'
import { makeValue } from '../values/make-value.ts'
import { asJson, type FormContext, type Slot } from './form-context.ts'
import type { FormNode, NodeBase, Option } from './form-node.ts'
import { fixedCount, itemLocations } from './members.ts'

/** More options than this are items one adds, not boxes one ticks. */
const maximumBoxes = 100

/** A list of fields, or boxes to tick where the items are given values and each stands once. */
export function describeArray(
  context: FormContext,
  shape: Shape,
  base: NodeBase,
  value: JsonValue | undefined,
  slot: Slot,
): FormNode {
  const { source } = context
  const { minItems = 0, maxItems = Infinity } = shape.limits
  const present = isJsonArray(value) ? value : []
  const fixed = fixedCount(shape)
  const options = fixed === 0 ? itemOptions(source, shape) : undefined
  if (options && isSelection(present, options)) {
    const { minItems: least, maxItems: most } = shape.limits
    const chosen = isJsonArray(value) ? value : undefined
    return { ...base, kind: 'choices', options, value: chosen, minItems: least, maxItems: most }
  }
  if (present.length > context.nodes) return asJson(base, value, 'large')

  return {
    ...base,
    kind: 'array',
    items: present.map((item, index) =>
      context.describe(context, subjectOf(itemLocations(shape, index)), item, {
        path: [...slot.path, index],
        name: `${index + 1}`,
        required: true,
        depth: slot.depth + 1,
        absentDepth: 0,
      }),
    ),
    fixed,
    canAdd: present.length < maxItems && mayFollow(shape, present.length),
    canRemove: present.length > minItems,
    startItem: (index) =>
      makeValue({ ...source, budget: 20_000 }, subjectOf(itemLocations(shape, index)), 'start'),
  }
}

function mayFollow(shape: Shape, index: number): boolean {
  return itemLocations(shape, index).every(({ schema }) => schema !== false)
}

function itemOptions(source: Source, shape: Shape): readonly Option[] | undefined {
  const locations = itemLocations(shape, 0)
  if (locations.length === 0) return undefined
  const { options, nullable } = resolve(source, subjectOf(locations), undefined)
  const isShort = options !== undefined && options.length > 1 && options.length <= maximumBoxes
  return isShort && !nullable ? options : undefined
}

function isSelection(items: readonly JsonValue[], options: readonly Option[]): boolean {
  const chosen = items.map((item) => options.findIndex(({ value }) => isSame(value, item)))
  return !chosen.includes(-1) && new Set(chosen).size === chosen.length
}
