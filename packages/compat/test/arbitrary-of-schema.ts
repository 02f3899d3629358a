import fc from 'fast-check'

/** The parts that are read of a schema of Zod 4. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema>>
  readonly catchall?: Schema
  readonly innerType?: Schema
  readonly element?: Schema
  readonly valueType?: Schema
  readonly options?: readonly Schema[]
  readonly left?: Schema
  readonly right?: Schema
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, string>>
}

export interface Schema {
  readonly _zod: { readonly def: Definition }
}

const text = fc.constantFrom('', 'a', 'AAAA', 'AA==', 'file:///a', '2026-01-01T00:00:00Z')
/** Objects as `JSON.parse` makes them. */
const dictionary = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>, maxKeys = 3) =>
  fc.dictionary(key, value, { maxKeys, noNullPrototype: true })
const anything = fc.oneof(text, fc.integer(), fc.constant(null), dictionary(text, fc.boolean()))

/** Makes values of the form that a schema describes. Some break a rule that is not in the form, such as a length. */
export function arbitraryOf({ _zod: { def } }: Schema): fc.Arbitrary<unknown> {
  const of = (schema: Schema | undefined) => (schema ? arbitraryOf(schema) : anything)
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape ?? {})
      const known = fc.record(Object.fromEntries(fields.map(([key, field]) => [key, of(field)])), {
        requiredKeys: fields.flatMap(([key, field]) => (isOptional(field) ? [] : [key])),
        noNullPrototype: true,
      })
      if (!def.catchall || def.catchall._zod.def.type === 'never') return known
      const others = dictionary(fc.constantFrom('x', 'y'), anything, 1)
      return fc.tuple(others, known).map(([more, one]) => ({ ...more, ...one }))
    }
    case 'optional':
    case 'default':
    case 'nullable':
      return of(def.innerType)
    case 'string':
      return text
    case 'number':
      return fc.oneof(fc.integer(), fc.constantFrom(0, 0.5, 1))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'literal':
      return fc.constantFrom(...(def.values ?? []))
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}))
    case 'array':
      return fc.array(of(def.element), { maxLength: 3 })
    case 'record':
      return dictionary(text, of(def.valueType))
    case 'union':
      return fc.oneof(...(def.options ?? []).map(arbitraryOf))
    case 'intersection':
      return fc
        .tuple(of(def.left), of(def.right))
        .map(([one, other]) => ({ ...(one as object), ...(other as object) }))
    case 'custom':
      return dictionary(text, dictionary(text, fc.boolean()))
    default:
      return anything
  }
}

function isOptional({ _zod: { def } }: Schema): boolean {
  return def.type === 'optional' || def.type === 'default'
}
