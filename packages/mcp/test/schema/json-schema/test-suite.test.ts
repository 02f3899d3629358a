import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'

import { describe, expect, test } from 'vitest'

import { compileJsonSchema } from '../../../src/schema/json-schema/compile.ts'
import { formats } from '../../../src/schema/json-schema/keywords/scalar-keywords.ts'
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

/** What the engine does not do, each for a reason given in `docs/schemas.md`. */
const isKnown = [
  /draft2020-12\/optional\/ecmascript-regex\.json: \\a is not an ECMA 262 control escape: /, // in editions that took formats for assertions
  /draft4\/.*: (?:validate definition against metaschema|remote ref, containing refs itself): /,
  /format\/hostname\.json: validation of A-label \(punycode\) host names: /,
  /optional\/format-assertion\.json: .*: invalid string$/,
  /draft7\/optional\/content\.json: .*invalid/,
  /draft4\/optional\/zeroTerminatedFloats\.json: /,
]

const folder = process.env['JSON_SCHEMA_TEST_SUITE'] ?? ''

// The official suite is not part of this repository: name a checkout of it to run it.
describe.skipIf(folder === '')('the official suite, if JSON_SCHEMA_TEST_SUITE names it', () => {
  const remotes = folder === '' ? new Map<string, JsonSchema>() : readDocuments()

  describe.each(Object.entries(drafts))('%s', (draft, dialect) => {
    test('required tests give the answers they ask for', () => {
      expect(runFiles('required', listFiles(join(folder, 'tests', draft), false))).toEqual([])
    })

    test('optional tests give the answers they ask for', () => {
      const files = listFiles(join(folder, 'tests', draft, 'optional'), false)

      expect(runFiles('optional', files)).toEqual([])
    })

    test('the formats we check give the answers they ask for', () => {
      const files = listFiles(join(folder, 'tests', draft, 'optional/format'), false)
      const checked = files.filter((file) => formats.has(basename(file, '.json')))

      expect(runFiles('formats', checked)).toEqual([])
    })

    /** Prints the score, and returns the failures that have no reason. */
    function runFiles(kind: string, files: string[]): string[] {
      const failed: string[] = []
      let total = 0
      for (const file of files) {
        for (const { description, schema, tests } of readGroups(file)) {
          const written = typeof schema === 'boolean' ? schema : { $schema: dialect, ...schema }
          for (const { description: name, data, valid } of tests) {
            total += 1
            const title = `${relative(folder, file)}: ${description}: ${name}`
            if (classify(written, data, kind === 'formats') !== valid) failed.push(title)
          }
        }
      }
      console.log(`${draft} ${kind}: ${total - failed.length} of ${total}`)
      return failed.filter((title) => !isKnown.some((known) => known.test(title)))
    }
  })

  function classify(schema: JsonSchema | boolean, data: unknown, assertFormats: boolean) {
    try {
      const resolve = (uri: string) => remotes.get(uri.replace(/#$/, ''))
      return compileJsonSchema(schema, { assertFormats, resolve })(data) === undefined
    } catch (error) {
      return error
    }
  }

  /** The suite's own remote documents, and the meta-schemas, which we do not ship. */
  function readDocuments(): Map<string, JsonSchema> {
    const root = join(folder, 'remotes')
    const documents = listFiles(root, true).map((file): [string, JsonSchema] => [
      `http://localhost:1234/${relative(root, file)}`,
      readSchema(file),
    ])
    const require = createRequire(import.meta.url)
    const refs = join(require.resolve('ajv/package.json'), '../dist/refs')
    const metaSchemas = listFiles(refs, true).map(readSchema)
    return new Map([
      ...documents,
      ...metaSchemas.map((schema): [string, JsonSchema] => [
        String(schema['$id'] ?? schema['id']).replace(/#$/, ''),
        schema,
      ]),
    ])
  }
})

function listFiles(root: string, isRecursive: boolean): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: isRecursive })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

function readGroups(file: string): Group[] {
  return JSON.parse(readFileSync(file, 'utf8')) // the suite's own schema promises the shape
}

function readSchema(file: string): JsonSchema {
  return JSON.parse(readFileSync(file, 'utf8'))
}
