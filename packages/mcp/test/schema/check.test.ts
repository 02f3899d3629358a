import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { both, lazy, oneOrMany, union } from '../../src/schema/check-unions.ts'
import * as s from '../../src/schema/check.ts'

interface Point {
  readonly x: number
  readonly label?: string
}
interface Circle {
  readonly kind: 'circle'
  readonly centre: Point
}
interface Path {
  readonly kind: 'path'
  readonly points: readonly Point[]
}
interface Named {
  readonly name: string
}
interface Numbered {
  readonly number: number
}
interface Tree {
  readonly children: readonly Tree[]
}

const point = s.object<Point>({ x: s.number, label: s.optional(s.string) })
const circle = s.object<Circle>({ kind: s.literal('circle'), centre: point })
const path = s.object<Path>({ kind: s.literal('path'), points: s.array(point) })
const metric = s.tagged<Circle | Path, 'kind'>('kind', { circle, path })
const named = s.object<Named>({ name: s.string })
const numbered = s.object<Numbered>({ number: s.number })
const nameOrNumber = s.keyed<Named | Numbered, 'name' | 'number'>(
  { name: named, number: numbered },
  s.is('an object with name or number', () => false),
)

function describeProblem<T>(check: s.Check<T>, value: unknown): string | undefined {
  const problem = check(value)
  return problem && s.describeProblem(problem)
}

describe('single values', () => {
  test.each([
    ['a string', s.string, ['', 'x'], [1, null, undefined, {}, ['x']]],
    ['a boolean', s.boolean, [true, false], [0, 'true', null, undefined]],
    ['a number', s.number, [0, -1.5, 1e300], ['1', Number.NaN, Infinity, null, undefined]],
    ['an integer', s.integer, [0, -3, 1e300], [0.5, '1', Number.NaN, Infinity, null]],
    ['a value', s.unknown, [0, null, '', false, [], {}], [undefined]],
    ['an object', s.jsonObject, [{}, Object.create(null)], [[], null, 'x', undefined]],
    ['"on"', s.literal('on'), ['on'], ['off', ' on', 'ON', true]],
    ['"a" or "b"', s.oneOf(['a', 'b']), ['a', 'b'], ['c', 'A', 0, ['a'], 'toString']],
    ['a number from 0 to 1', s.range(0, 1), [0, 0.5, 1], [-0.1, 1.1, '0', Number.NaN]],
  ] as const)(
    'takes %s and nothing else',
    (expected, check: (value: unknown) => unknown, good, bad) => {
      for (const value of good) expect(check(value)).toBeUndefined()
      for (const value of bad) expect(check(value)).toEqual({ path: [], expected })
    },
  )
})

describe('object', () => {
  test('takes an object with its fields and any others', () => {
    expect(point({ x: 1 })).toBeUndefined()
    expect(point({ x: 1, label: 'a', colour: 'red' })).toBeUndefined()
  })

  test('names the field that is wrong or missing', () => {
    expect(describeProblem(point, { x: '1' })).toBe('x: a number')
    expect(describeProblem(point, {})).toBe('x: a number')
    expect(describeProblem(point, { x: 1, label: null })).toBe('label: a string')
  })

  test('says so when there is no object', () => {
    for (const value of [null, undefined, 1, 'x', [], [{ x: 1 }]]) {
      expect(describeProblem(point, value)).toBe('an object')
    }
  })

  test('takes undefined for absent, as JSON does', () => {
    expect(point({ x: 1, label: undefined })).toBeUndefined()
    expect(describeProblem(point, { x: undefined })).toBe('x: a number')
  })

  test('knows a key only by its exact spelling', () => {
    expect(describeProblem(point, { X: 1, 'x ': 1 })).toBe('x: a number')
  })

  test('never reads what a value inherits', () => {
    const trap = {
      get x(): number {
        throw new Error('read')
      },
      label: 5,
    }

    expect(describeProblem(point, Object.create(trap))).toBe('x: a number')
    expect(point(Object.assign(Object.create({ label: 5 }), { x: 1 }))).toBeUndefined()
  })

  test('treats an own __proto__ as data', () => {
    expect(describeProblem(point, JSON.parse('{"__proto__": {"x": 1}}'))).toBe('x: a number')
    expect(point(JSON.parse('{"__proto__": {"x": "1"}, "x": 1}'))).toBeUndefined()
  })

  test('lends its fields to other checks', () => {
    const point3d = s.object<Point & { readonly z: number }>({ ...point.shape, z: s.number })

    expect(describeProblem(point3d, { x: 1 })).toBe('z: a number')
    expect(describeProblem(point3d, { z: 1 })).toBe('x: a number')
  })
})

describe('collections', () => {
  test('gives the place of a wrong item', () => {
    expect(s.array(point)([])).toBeUndefined()
    expect(describeProblem(s.array(point), [{ x: 1 }, { x: 1, label: 2 }])).toBe(
      '1.label: a string',
    )
    expect(describeProblem(s.array(point), { length: 0 })).toBe('an array')
  })

  test('finds a hole in an array', () => {
    const sparse: unknown[] = []
    sparse[1] = 'x'

    expect(describeProblem(s.array(s.string), sparse)).toBe('0: a string')
  })

  test('gives the key of a wrong member', () => {
    expect(s.record(s.string)({ a: 'x', b: undefined })).toBeUndefined()
    expect(describeProblem(s.record(s.string), { a: 'x', b: 1 })).toBe('b: a string')
    expect(describeProblem(s.record(s.string), ['x'])).toBe('an object')
  })

  test('looks at every own member of a record and at nothing inherited', () => {
    expect(s.record(s.string)(Object.create({ a: 1 }))).toBeUndefined()
    expect(describeProblem(s.record(s.string), JSON.parse('{"__proto__": 1}'))).toBe(
      '__proto__: a string',
    )
  })

  test('takes one or many', () => {
    const check = oneOrMany(point)

    expect(check({ x: 1 })).toBeUndefined()
    expect(check([{ x: 1 }, { x: 2 }])).toBeUndefined()
    expect(describeProblem(check, { x: 'a' })).toBe('x: a number')
    expect(describeProblem(check, [{ x: 'a' }])).toBe('0.x: a number')
  })
})

describe('unions', () => {
  test('reads the variant its tag names', () => {
    expect(metric({ kind: 'circle', centre: { x: 1 } })).toBeUndefined()
    expect(describeProblem(metric, { kind: 'path', points: [{ x: 1 }, { x: 'b' }] })).toBe(
      'points.1.x: a number',
    )
  })

  test('refuses an unknown tag and lists the known ones', () => {
    for (const kind of ['square', undefined, 1, null, 'toString', '__proto__', ['circle']]) {
      expect(describeProblem(metric, { kind })).toBe('kind: "circle" or "path"')
    }
    expect(describeProblem(metric, Object.create({ kind: 'circle' }))).toBe(
      'kind: "circle" or "path"',
    )
  })

  test('reads the variant its key names, and all of them where it has several keys', () => {
    expect(nameOrNumber({ name: 'a' })).toBeUndefined()
    expect(nameOrNumber({ number: 1 })).toBeUndefined()
    expect(nameOrNumber({ name: 'a', number: 1 })).toBeUndefined()
    expect(describeProblem(nameOrNumber, { name: 'a', number: '1' })).toBe('number: a number')
    expect(describeProblem(nameOrNumber, { name: 1, number: 1 })).toBe('name: a string')
    expect(describeProblem(nameOrNumber, {})).toBe('an object with name or number')
    expect(describeProblem(nameOrNumber, Object.create({ name: 'a' }))).toBe(
      'an object with name or number',
    )
    expect(describeProblem(nameOrNumber, [])).toBe('an object')
  })

  test('tries each of several, and reports the one that came closest', () => {
    const check = union(s.string, point, s.array(s.number))

    expect(check('x')).toBeUndefined()
    expect(check({ x: 1 })).toBeUndefined()
    expect(check([1])).toBeUndefined()
    expect(describeProblem(check, { x: 'a' })).toBe('x: a number')
    expect(describeProblem(check, [1, 'a'])).toBe('1: a number')
    expect(describeProblem(check, 5)).toBe('a string or an object or an array')
  })
})

test('asks for both of two checks', () => {
  const check = both(named, numbered)

  expect(check({ name: 'a', number: 1 })).toBeUndefined()
  expect(describeProblem(check, { name: 'a' })).toBe('number: a number')
  expect(describeProblem(check, { number: 1 })).toBe('name: a string')
})

test('checks a type that contains itself', () => {
  const tree: s.Check<Tree> = s.object<Tree>({ children: s.array(lazy(() => tree)) })

  expect(tree({ children: [{ children: [] }] })).toBeUndefined()
  expect(describeProblem(tree, { children: [{ children: [{}] }] })).toBe(
    'children.0.children.0.children: an array',
  )
})

test('never throws and never changes what it looks at, whatever it is given', () => {
  const checks: readonly ((value: unknown) => unknown)[] = [point, metric, nameOrNumber]

  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (value) => {
      const before = fc.stringify(value)
      for (const check of checks) check(value)
      expect(fc.stringify(value)).toBe(before)
    }),
  )
})

test('gives the full path to the fault, however deep', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (keys) => {
      let check: s.Check<unknown> = (value) => s.string(value)
      let value: unknown = 5
      for (const key of keys.toReversed()) {
        const inner = check
        check = (outer) => s.record(inner)(outer)
        value = Object.fromEntries([[key, value]])
      }
      expect(check(value)).toEqual({ path: keys, expected: 'a string' })
    }),
  )
})

// What each of these would let through is shown at run time; that it does not compile, by the build.
describe('the compiler refuses', () => {
  test('a missing field', () => {
    // @ts-expect-error: no check for `label`
    const check = s.object<Point>({ x: s.number })
    expect(check({ x: 1, label: 5 })).toBeUndefined()
  })

  test('an extra field', () => {
    // @ts-expect-error: `Point` has no `y`
    const check = s.object<Point>({ x: s.number, label: s.optional(s.string), y: s.number })
    expect(describeProblem(check, { x: 1 })).toBe('y: a number')
  })

  test('a check wider than its type', () => {
    // @ts-expect-error: `x` is a number
    const check = s.object<Point>({ x: s.unknown, label: s.optional(s.string) })
    expect(check({ x: 'a' })).toBeUndefined()
  })

  test('a check narrower than its type', () => {
    // @ts-expect-error: any string is a name
    const check = s.object<Named>({ name: s.literal('a') })
    expect(describeProblem(check, { name: 'b' })).toBe('name: "a"')
  })

  test('a required check of an optional field', () => {
    // @ts-expect-error: `label` may be absent
    const check = s.object<Point>({ x: s.number, label: s.string })
    expect(describeProblem(check, { x: 1 })).toBe('label: a string')
  })

  test('an optional check of a required field', () => {
    // @ts-expect-error: `x` may not be absent
    const check = s.object<Point>({ x: s.optional(s.number), label: s.optional(s.string) })
    expect(check({})).toBeUndefined()
  })

  test('a missing variant', () => {
    // @ts-expect-error: a figure may be a path
    const check = s.tagged<Circle | Path, 'kind'>('kind', { circle })
    expect(describeProblem(check, { kind: 'path', points: [] })).toBe('kind: "circle"')
  })

  test('a variant under the wrong tag', () => {
    // @ts-expect-error: the two are exchanged
    const check = s.tagged<Circle | Path, 'kind'>('kind', { circle: path, path: circle })
    expect(describeProblem(check, { kind: 'path', points: [] })).toBe('kind: "circle"')
  })
})
