import { describeForm, edit, isSame, readForm, sampleOf, toPointer } from '@parley/foundation/forms'
import type { FormNode } from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { schemas, values } from './schemas.ts'

describe('a form', () => {
  test('read back gives the value that was put in, for every schema', () => {
    fc.assert(
      fc.property(schemas, fc.option(values, { nil: undefined }), (schema, value) => {
        expect(isSame(readForm(describeForm(schema, value)), value)).toBe(true)
      }),
      { numRuns: tries(1000) },
    )
  })

  test('read back gives an example that was made for the schema', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const sample = sampleOf(schema)

        expect(readForm(describeForm(schema, sample))).toEqual(sample)
      }),
      { numRuns: tries(1000) },
    )
  })

  test('has every part of a value in one field, by its own path', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        for (const node of leavesOf(describeForm(schema, value))) {
          expect(isSame(readForm(node), at(value, node.path))).toBe(true)
        }
      }),
      { numRuns: tries(500) },
    )
  })

  test('changes a value only where a field is edited', () => {
    fc.assert(
      fc.property(schemas, values, values, fc.nat(), (schema, value, next, pick) => {
        const nodes = leavesOf(describeForm(schema, value))
        const { path } = nodes[pick % nodes.length]!

        const edited = edit(value, path, { kind: 'set', value: next })

        expect(isSame(at(edited, path), next)).toBe(true)
        expect(isSame(restore(edited, value, path), value)).toBe(true)
      }),
      { numRuns: tries(1000) },
    )
  })

  test('keeps its value when another shape of a union is chosen, until a person changes it', () => {
    fc.assert(
      fc.property(schemas, values, fc.nat(3), (schema, value, wish) => {
        const pointers = leavesOf(describeForm(schema, value)).map(({ path }) => toPointer(path))
        const chosen = new Map(pointers.map((pointer) => [pointer, wish]))

        expect(readForm(describeForm(schema, value, { chosen }))).toEqual(value)
      }),
      { numRuns: tries(500) },
    )
  })

  test('can begin every field and every shape with some JSON', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        for (const node of nodesOf(describeForm(schema, value))) {
          const starts = [node.start(), ...('variants' in node ? node.variants : []).map(start)]
          for (const one of starts) expect(JSON.parse(JSON.stringify(one))).toEqual(one)
        }
      }),
      { numRuns: tries(300) },
    )
  })
})

function start(variant: { readonly start: () => JsonValue }): JsonValue {
  return variant.start()
}

function nodesOf(node: FormNode): FormNode[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)]
}

function childrenOf(node: FormNode): readonly FormNode[] {
  if (node.kind === 'object') return [...node.members, ...node.extras]
  if (node.kind === 'array') return node.items
  return node.kind === 'union' && node.node ? [node.node] : []
}

function leavesOf(node: FormNode): FormNode[] {
  return nodesOf(node).filter((one) => childrenOf(one).length === 0)
}

function at(value: JsonValue | undefined, path: readonly (string | number)[]) {
  let current: unknown = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) {
      return undefined
    }
    current = Reflect.get(current, part)
  }
  // A part of JSON is JSON.
  return current as JsonValue | undefined
}

/** Undoes a change at the first part of the path that was not there before; nothing else is touched. */
function restore(
  edited: JsonValue | undefined,
  value: JsonValue,
  path: readonly (string | number)[],
) {
  const gone = path.findIndex((_, index) => at(value, path.slice(0, index + 1)) === undefined)
  const changed = gone === -1 ? path : path.slice(0, gone + 1)
  const parent = at(value, changed.slice(0, -1))
  if (gone > 0 && parent === null) return edit(edited, changed.slice(0, -1), set(null))
  const before = at(value, changed)
  return edit(edited, changed, before === undefined ? { kind: 'remove' } : set(before))
}

function set(value: JsonValue) {
  return { kind: 'set', value } as const
}
