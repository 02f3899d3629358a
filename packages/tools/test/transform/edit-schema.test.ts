import { compileJsonSchema, type JsonObject, type JsonSchema, type Tool } from '@parley/mcp'
import { type ArgumentRule, type ToolRule, transformTools } from '@parley/tools'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

function edited(
  inputSchema: JsonSchema,
  args: { readonly [name: string]: ArgumentRule },
): JsonSchema {
  const exposed = transformTools({ t: { arguments: args } }).toExposed({ name: 't', inputSchema })
  return exposed?.inputSchema ?? {}
}

describe('the schema that callers see', () => {
  test('keeps what no rule is about', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: {} },
      'x-own': 1,
    }

    expect(edited(schema, {})).toBe(schema)
    expect(edited(schema, { a: { description: 'A' } })).toEqual({
      ...schema,
      properties: { a: { $ref: '#/$defs/a', description: 'A' } },
    })
  })

  test('a hidden argument leaves properties and required', () => {
    const schema = {
      type: 'object',
      properties: { token: { type: 'string' }, path: { type: 'string' } },
      required: ['token'],
      additionalProperties: false,
    }

    expect(edited(schema, { token: { value: 'secret' } })).toEqual({
      type: 'object',
      properties: { path: { type: 'string' } },
      additionalProperties: false,
    })
  })

  test('a renamed argument keeps its place, its requirements and its dependents', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: {}, c: {} },
      required: ['a', 'b'],
      dependentRequired: { a: ['c'], c: ['a'] },
    }

    const result = edited(schema, { a: { name: 'first' } })

    expect(Object.keys(result['properties'] ?? {})).toEqual(['first', 'b', 'c'])
    expect(result).toMatchObject({
      required: ['first', 'b'],
      dependentRequired: { first: ['c'], c: ['first'] },
    })
  })

  test('two arguments can swap their names', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } }

    expect(edited(schema, { a: { name: 'b' }, b: { name: 'a' } })['properties']).toEqual({
      b: { type: 'string' },
      a: { type: 'number' },
    })
  })

  test('what depends on an argument that is always sent is required', () => {
    const schema = {
      type: 'object',
      properties: { card: {}, address: {}, zip: {} },
      dependentRequired: { card: ['address', 'zip'], address: ['card'] },
    }

    const result = edited(schema, { card: { value: 'visa' }, zip: { default: '0' } })

    expect(result['required']).toEqual(['address'])
    expect(result['dependentRequired']).toBeUndefined()
  })

  test('references follow a renamed argument, and what a hidden one described is kept', () => {
    const schema = {
      type: 'object',
      properties: {
        'ship to': { type: 'object', properties: { next: { $ref: '#/properties/ship%20to' } } },
        bill: { $ref: '#/properties/ship%20to/properties/next' },
        hidden: { type: 'array', items: { $ref: '#/properties/other' } },
        other: { enum: [{ $ref: '#/properties/hidden' }] },
        copy: { $ref: '#/properties/hidden' },
        $ref: { type: 'string' },
      },
    }

    const result = edited(schema, {
      'ship to': { name: 'to' },
      hidden: { hide: true },
      other: { name: 'o' },
    })

    expect(result).toMatchObject({
      properties: {
        to: { properties: { next: { $ref: '#/properties/to' } } },
        bill: { $ref: '#/properties/to/properties/next' },
        o: { enum: [{ $ref: '#/properties/hidden' }] },
        copy: { $ref: '#/$defs/hidden_hidden' },
        $ref: { type: 'string' },
      },
      $defs: { hidden_hidden: { items: { $ref: '#/properties/o' } } },
    })
    expect(() => compileJsonSchema(result)).not.toThrow()
  })

  test('definitions of hidden arguments go with them', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/B' } },
      $defs: {
        A: { properties: { c: { $ref: '#/$defs/C' }, s: { $ref: '#/$defs/S' } } },
        B: { properties: { c: { $ref: '#/$defs/C/properties/x' }, again: { $ref: '#/$defs/B' } } },
        C: { properties: { x: { type: 'string' } } },
        S: { description: 'internal' },
      },
    }

    expect(Object.keys(edited(schema, { a: { hide: true } })['$defs'] ?? {})).toEqual(['B', 'C'])
    expect(edited(schema, { a: { hide: true }, b: { hide: true } })).not.toHaveProperty('$defs')
    expect(edited(schema, { a: { name: 'z' } })['$defs']).toBe(schema.$defs)
    const anchored = { ...schema, $defs: { ...schema.$defs, S: { $anchor: 's' } } }
    expect(edited(anchored, { a: { hide: true } })['$defs']).toBe(anchored.$defs)
  })

  test('follows a reference at the root', () => {
    const schema = {
      type: 'object',
      $ref: '#/$defs/Input',
      $defs: { Input: { type: 'object', properties: { a: {}, b: {} }, required: ['a'] } },
    }

    expect(edited(schema, { a: { default: 1 } })).toMatchObject({
      properties: { a: { default: 1 }, b: {} },
    })
    expect(edited(schema, { a: { default: 1 } })).not.toHaveProperty('$ref')
  })
})

describe('rules that cannot be applied', () => {
  const properties = { a: { type: 'string' }, b: { type: 'integer' } }
  const combined = { anyOf: [{ required: ['a'] }, { required: ['b'] }] }

  test.each<[string, object, { readonly [name: string]: ArgumentRule }, string]>([
    [
      'an argument that is not there',
      {},
      { c: { hide: true } },
      'rule for tool "t", argument "c": the tool has no such argument; it has a, b',
    ],
    [
      'a required one hidden',
      { required: ['a'] },
      { a: { hide: true } },
      'the tool requires it: give it a "value"',
    ],
    [
      'one that another needs',
      { dependentRequired: { b: ['a'] } },
      { a: { hide: true } },
      'argument "b" needs it: give it a "value", or hide both',
    ],
    [
      'one inside allOf',
      { allOf: [{ properties: { c: {} } }] },
      { c: { hide: true } },
      'it is described inside "allOf", where it cannot be changed',
    ],
    [
      'one that anyOf asks for',
      combined,
      { a: { name: 'z' } },
      '"anyOf" of the inputSchema depends on it',
    ],
    [
      'one that anyOf asks for, by default',
      combined,
      { a: { default: '' } },
      '"anyOf" of the inputSchema depends on it',
    ],
    [
      'one behind a reference',
      { allOf: [{ $ref: '#/$defs/x' }], $defs: { x: { required: ['b'] } } },
      { b: { name: 'z' } },
      '"allOf" of the inputSchema depends on it',
    ],
    [
      'one that a condition looks at',
      JSON.parse('{"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["b"]}}'),
      { a: { value: 'x' } },
      '"if" of the inputSchema depends on it',
    ],
    [
      'one with dependent schemas',
      { dependentSchemas: { a: { required: ['b'] } } },
      { a: { value: 'x' } },
      '"dependentSchemas" of the inputSchema depends on it',
    ],
    [
      'names by pattern',
      { patternProperties: { '^x-': {} } },
      { a: { name: 'x-a' } },
      '"patternProperties"',
    ],
    [
      'names with a schema',
      { propertyNames: { maxLength: 1 } },
      { a: { name: 'long' } },
      '"propertyNames"',
    ],
    ['a value of another type', {}, { b: { value: 'x' } }, '"x" does not fit its schema'],
    ['a default of another type', {}, { b: { default: 1.5 } }, '1.5 does not fit its schema'],
    ['a name that is taken', {}, { a: { name: 'b' } }, 'the tool has another argument called b'],
    [
      'a root that cannot be followed',
      { $ref: '#/$defs/none' },
      { a: { hide: true } },
      'a reference to #/$defs/none, which cannot be followed',
    ],
  ])('%s', (_, schema, args, why) => {
    expect(() => edited({ type: 'object', properties, ...schema }, args)).toThrow(why)
  })

  test('an argument that allOf speaks of can be described anew', () => {
    const schema = { type: 'object', properties, allOf: [{ required: ['a'] }] }

    expect(edited(schema, { a: { title: 'A' }, b: { hide: true } })).toMatchObject({
      properties: { a: { type: 'string', title: 'A' } },
    })
  })
})

test('arguments fit the exposed schema exactly if those of the call fit the tool', () => {
  const names = ['a', 'b', 'c', 'd']
  const value = fc.constantFrom<string | number | boolean>('x', 1, true)
  const property = fc.constantFrom<JsonSchema>(
    {},
    { type: 'string' },
    { type: 'integer' },
    { enum: [1, 'x'] },
  )
  const some = fc.subarray(names)
  const schema = fc.record(
    {
      type: fc.constant('object'),
      properties: fc.record({ a: property, b: property, c: property, d: property }),
      required: some,
      dependentRequired: fc.dictionary(fc.constantFrom(...names), some, { maxKeys: 2 }),
      additionalProperties: fc.boolean(),
    },
    { requiredKeys: ['type', 'properties', 'additionalProperties'] },
  )
  const argumentRule = fc.oneof(
    fc.record({ name: fc.constantFrom('a', 'b', 'z', 'y') }),
    fc.record({ hide: fc.constant(true) }),
    fc.record({ value }),
    fc.record({ default: value }),
    fc.record({ name: fc.constantFrom('z', 'y', 'x'), default: value }),
  )
  const rule: fc.Arbitrary<ToolRule> = fc.record({
    arguments: fc.dictionary(fc.constantFrom(...names), argumentRule, { maxKeys: 3 }),
  })
  const calls = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'x', 'y', 'z'), value), {
    minLength: 20,
  })
  let compared = 0

  fc.assert(
    fc.property(schema, rule, calls, (inputSchema, toolRule, given) => {
      const tool: Tool = { name: 't', inputSchema }
      const exposed = exposedOrUndefined(tool, toolRule)
      if (exposed === undefined) return
      const fitsTool = compileJsonSchema(inputSchema)
      const fitsExposed = compileJsonSchema(exposed.schema)
      for (const args of given) {
        const call = exposed.toCall('t', args)
        if (call.kind !== 'call') {
          expect(call.kind).toBe('refused')
          continue
        }
        compared++
        const isSame = (fitsExposed(args) === undefined) === (fitsTool(call.args) === undefined)
        expect(isSame, JSON.stringify([args, call.args, exposed.schema])).toBe(true)
      }
    }),
    { numRuns: tries(1_000) },
  )
  expect(compared).toBeGreaterThan(1_000)
})

function exposedOrUndefined(tool: Tool, rule: ToolRule) {
  try {
    const transform = transformTools({ t: rule })
    const schema = transform.toExposed(tool)?.inputSchema ?? {}
    return { schema, toCall: (name: string, args: JsonObject) => transform.toCall(name, args) }
  } catch {
    return undefined // a rule that does not fit
  }
}
