import type { TypeName } from '../json.ts'
import { gather, type Source } from '../schema/gather.ts'
import type { ResolvedVariant } from '../schema/settle.ts'
import type { Shape } from '../schema/shape.ts'
import { subjectOf } from '../schema/subject.ts'
import { declaredNames, memberRules } from './members.ts'
import { labelOf } from './options.ts'

/** The name of a variant, and its description. */
export interface VariantLabel {
  readonly label: string
  readonly description?: string | undefined
}

const typeLabels: { readonly [type in TypeName]: string } = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  object: 'Object',
  array: 'List',
  null: 'null',
}

/** A name for each: its title, its constant, what a reference calls it, its type; told apart by number at last. */
export function labelVariants(
  source: Source,
  variants: readonly ResolvedVariant[],
): readonly VariantLabel[] {
  const shapes = variants.map(({ location }) => gather(source, subjectOf([location]), undefined))
  const labels = shapes.map((shape) => labelShape(source, shape))
  return labels.map((label, index) => {
    const isTwice = labels.indexOf(label) !== index || labels.lastIndexOf(label) !== index
    return {
      label: isTwice ? `${label} ${index + 1}` : label,
      description: shapes[index]?.description,
    }
  })
}

function labelShape(source: Source, shape: Shape): string {
  if (shape.title !== undefined) return shape.title
  const [only] = shape.options ?? []
  if (only && shape.options?.length === 1) return only.label
  const constant = constantMember(source, shape)
  if (shape.name !== undefined) return shape.name
  if (constant !== undefined) return constant
  const [type] = shape.types ?? []
  if (type === 'array') return 'List'
  if (type !== undefined && shape.types?.size === 1) {
    const names = [...declaredNames(shape)].slice(0, 3).join(', ')
    return type === 'object' && names !== '' ? `Object with ${names}` : typeLabels[type]
  }
  if (shape.objects.length > 0 || shape.required.size > 0) {
    const names = [...declaredNames(shape)].slice(0, 3).join(', ')
    return names === '' ? 'Object' : `With ${names}`
  }
  return 'Option'
}

/** `kind: "circle"`: what tells one object from the others. */
function constantMember(source: Source, shape: Shape): string | undefined {
  for (const name of [...declaredNames(shape)].slice(0, 20)) {
    const { locations } = memberRules(source, shape, name)
    const { options } = gather(source, subjectOf(locations), undefined)
    if (options?.length === 1 && options[0]) return `${name}: ${labelOf(options[0].value)}`
  }
  return undefined
}
