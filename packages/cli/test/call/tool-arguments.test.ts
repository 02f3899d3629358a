import { PassThrough } from 'node:stream'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { fitToSchema, readToolArguments } from '../../src/call/tool-arguments.ts'

const io = {
  stdin: new PassThrough(),
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: {},
  cwd: '/',
  signal: new AbortController().signal,
}

async function read(words: readonly string[], schema?: object) {
  return fitToSchema(await readToolArguments(words, io), schema as never)
}

test('a value may hold any sign', async () => {
  expect(await read(['q=a=b:=c@d', 'e='])).toEqual({ q: 'a=b:=c@d', e: '' })
})

test('every text comes through as it is where nothing else is wanted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (value) => {
      expect(await read([`key=${value}`])).toEqual({ key: value })
    }),
  )
})

test('every JSON comes through as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = JSON.stringify(value)
      expect(await read([`key:=${text}`])).toEqual({ key: JSON.parse(text) as unknown })
    }),
  )
})

test('text becomes what the schema wants', async () => {
  const properties = {
    n: { type: 'integer' },
    b: { type: 'boolean' },
    list: { type: 'array' },
    maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    both: { type: ['string', 'number'] },
  }
  const words = ['n=3', 'b=true', 'list=[1]', 'maybe=null', 'both=3', 'other=4']

  expect(await read(words, { properties })).toEqual({
    n: 3,
    b: true,
    list: [1],
    maybe: null,
    both: '3',
    other: '4',
  })
})

test('what does not fit stays text, for the server to refuse', async () => {
  const properties = { n: { type: 'number' }, o: { type: 'object' } }

  expect(await read(['n=three', 'o={'], { properties })).toEqual({ n: 'three', o: '{' })
})

test('a name like __proto__ is only a name', async () => {
  const args = await read(['__proto__=x', '__proto__:={"a":1}'])

  expect(Object.keys(args)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf({})).not.toHaveProperty('a')
})

test.each(['plain', '=value', 'key:=nojson', 'key@/no/such/file'])(
  '%s is refused',
  async (word) => {
    await expect(read([word])).rejects.toMatchObject({ kind: 'error' })
  },
)
