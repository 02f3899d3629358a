import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { compileJsonSchema } from '../../../src/schema/json-schema/compile.ts'
import { formats } from '../../../src/schema/json-schema/formats.ts'
import type { JsonSchema } from '../../../src/schema/standard-schema.ts'

interface Group {
  readonly description: string
  readonly schema: JsonSchema | boolean
  readonly tests: readonly { description: string; data: unknown; valid: boolean }[]
}

const drafts = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft4: 'http://json-schema.org/draft-04/schema#',
}

/** What the engine does not do, each for a reason given in `docs/json-schema.md`. */
const isKnown = [
  /^draft4\/.*: (?:validate definition against metaschema|remote ref, containing refs itself): /,
  /format\/hostname\.json: validation of A-label \(punycode\) host names: /,
  /optional\/format-assertion\.json: .*: invalid string$/,
  /^draft7\/optional\/content\.json: .*invalid/,
  /^draft4\/optional\/zeroTerminatedFloats\.json: /,
]

const folder = new URL('../../../../../test-support/official/json-schema-suite/', import.meta.url)
const documents = readDocuments()

describe.each(Object.entries(drafts))('the official suite, %s', (draft, dialect) => {
  const files: [string, Group[]][] = Object.entries(readJson(new URL(`${draft}.json`, folder)))

  test('required tests give the answers they ask for', () => {
    expect(failuresOf(files.filter(([name]) => !name.includes('/')))).toEqual([])
  })

  test('optional tests give the answers they ask for', () => {
    expect(failuresOf(files.filter(([name]) => /^optional\/[^/]+$/.test(name)))).toEqual([])
  })

  test('the formats we check give the answers they ask for', () => {
    const checked = files.filter(
      ([name]) => name.startsWith('optional/format/') && formats.has(basename(name, '.json')),
    )

    expect(failuresOf(checked, true)).toEqual([])
  })

  /** The failures that have no reason. */
  function failuresOf(chosen: readonly [string, Group[]][], assertFormats = false): string[] {
    expect(chosen.length).toBeGreaterThan(4)
    const failed = chosen.flatMap(([file, groups]) =>
      groups.flatMap(({ description, schema, tests }) => {
        const written = typeof schema === 'boolean' ? schema : { $schema: dialect, ...schema }
        return tests
          .filter(({ data, valid }) => judge(written, data, assertFormats) !== valid)
          .map((one) => `${draft}/${file}: ${description}: ${one.description}`)
      }),
    )
    return failed.filter((title) => !isKnown.some((known) => known.test(title)))
  }
})

function judge(schema: JsonSchema | boolean, data: unknown, assertFormats: boolean): unknown {
  try {
    const resolve = (uri: string) => documents.get(uri.replace(/#$/, ''))
    return compileJsonSchema(schema, { assertFormats, resolve })(data) === undefined
  } catch (error) {
    return error
  }
}

/** The suite's own remote documents, and the meta-schemas, which we do not ship. */
function readDocuments(): Map<string, JsonSchema> {
  const require = createRequire(import.meta.url)
  const refs = join(require.resolve('ajv/package.json'), '../dist/refs')
  const metaSchemas = readdirSync(refs, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry): JsonSchema => readJson(join(entry.parentPath, entry.name)))
  return new Map([
    ...Object.entries<JsonSchema>(readJson(new URL('remotes.json', folder))),
    ...metaSchemas.map((schema): [string, JsonSchema] => [
      String(schema['$id'] ?? schema['id']).replace(/#$/, ''),
      schema,
    ]),
  ])
}

function readJson(file: string | URL) {
  return JSON.parse(readFileSync(file, 'utf8')) // the suite's own schema promises the shape
}
