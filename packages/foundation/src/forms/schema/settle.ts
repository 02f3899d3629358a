import type { JsonValue } from '@parley/mcp'

import type { Option } from '../describe/form-node.ts'
import { optionsOfVariants } from '../describe/options.ts'
import { isSame, type TypeName } from '../json.ts'
import { gather, type Source, type Subject } from './gather.ts'
import type { SchemaLocation } from './schema-document.ts'
import type { Shape } from './shape.ts'
import { alsoApply, decideUnion, subjectOf } from './subject.ts'

/** A shape with null taken apart, and unions that are none resolved. */
export interface Resolved {
  readonly shape: Shape
  readonly nullable: boolean
  /** Set when these are the only values; null is not among them. */
  readonly options: readonly Option[] | undefined
  /** Set when a shape has to be chosen. */
  readonly variants: readonly ResolvedVariant[] | undefined
  /** The one type left, where there is one. */
  readonly type: TypeName | undefined
}

/** One shape to choose: what applies to the value once it is chosen. */
export interface ResolvedVariant {
  readonly subject: Subject
  readonly location: SchemaLocation
}

/** More variants are not read one by one. */
const maximumVariants = 200

/** A schema with more unions in one another than this stays with a choice. */
const maximumRounds = 16

/** Resolves what only looks like a choice: `T | null`, unions of one, unions of constants. */
export function resolve(source: Source, subject: Subject, value: JsonValue | undefined): Resolved {
  let current = subject
  let nullable: boolean | undefined
  let listed: readonly Option[] | undefined
  for (let round = 0; ; round++) {
    const shape = gather(source, current, value)
    const [union] = shape.unions
    if (!union || round === maximumRounds) return finish(current, shape, nullable, listed)
    if (union.variants.length > maximumVariants && !optionsOf(union.variants)) {
      const trouble = `has ${union.variants.length} variants, too many for fields`
      return finish(current, { ...shape, trouble }, nullable, listed)
    }
    const isNull = union.variants.map((variant) => isNullOnly(source, variant))
    const variants = union.variants.filter((_, index) => !isNull[index])
    if (variants.length < union.variants.length) nullable ??= allowsNull(shape)
    const options = optionsOf(variants)
    const [only] = variants
    if (options && options.length > 0) {
      listed = listed ? options.filter((option) => includes(listed, option)) : options
      current = decideUnion(current, union.key, undefined)
    } else if (variants.length === 1 && only) {
      current = decideUnion(current, union.key, only)
    } else if (variants.length === 0) {
      current = decideUnion(current, union.key, { schema: { type: 'null' }, resource: {} })
    } else {
      const chosen = variants.map((location) => ({
        location: location,
        subject: decideUnion(current, union.key, location),
      }))
      const acceptsNull =
        allowsNull(shape) && variants.some((variant) => takesNull(source, variant))
      return {
        ...finish(current, shape, (nullable ?? false) || acceptsNull, listed),
        variants: chosen,
      }
    }
  }
}

function optionsOf(variants: readonly SchemaLocation[]): readonly Option[] | undefined {
  return optionsOfVariants(variants.map(({ schema }) => schema))
}

function finish(
  subject: Subject,
  shape: Shape,
  unionHasNull: boolean | undefined,
  listed: readonly Option[] | undefined,
): Resolved {
  const input =
    shape.options && listed
      ? shape.options.filter((option) => includes(listed, option))
      : (listed ?? shape.options)
  const types = shape.types && [...shape.types]
  const others = types?.filter((type) => type !== 'null')
  const hasNull = types?.includes('null') ?? false
  const listsNull = input?.some(({ value }) => value === null) ?? false
  const options = input?.filter(({ value }) => value !== null)
  const isOnlyNull = (hasNull && others?.length === 0) || (listsNull && options?.length === 0)
  const nullable = unionHasNull ?? (input ? listsNull : hasNull)
  if (isOnlyNull) {
    const only = [{ value: null, label: 'null' }]
    return { shape, nullable: false, options: only, variants: undefined, type: 'null' }
  }
  const type = others?.length === 1 ? others[0] : undefined
  const variants = !options && others && others.length > 1 ? byType(subject, others) : undefined
  return { shape, nullable, options, variants, type }
}

function byType(subject: Subject, types: readonly TypeName[]): ResolvedVariant[] {
  return types.map((type) => {
    const location = { schema: { type }, resource: {} }
    return { location: location, subject: alsoApply(subject, location) }
  })
}

function includes(options: readonly Option[] | undefined, { value }: Option): boolean {
  return options === undefined || options.some((option) => isSame(option.value, value))
}

function allowsNull({ types }: Shape): boolean {
  return types === undefined || types.has('null')
}

function isNullOnly(source: Source, variant: SchemaLocation): boolean {
  const { types, options, unions } = gather(source, subjectOf([variant]), undefined)
  if (unions.length > 0) return false
  if (options) return options.every(({ value }) => value === null) && options.length > 0
  return types?.size === 1 && types.has('null')
}

function takesNull(source: Source, variant: SchemaLocation): boolean {
  const { types, options } = gather(source, subjectOf([variant]), undefined)
  return options ? options.some(({ value }) => value === null) : (types?.has('null') ?? false)
}
