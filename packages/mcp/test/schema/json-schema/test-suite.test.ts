import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'

import { describe, expect, test } from 'vitest'

import { compileJsonSchema } from '../../../src/schema/json-schema/compile.ts'
import type { JsonSchema } from '../../../src/schema/standard-schema.ts'
import { knownFailures } from './test-suite-failures.ts'

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

const folder = process.env['JSON_SCHEMA_TEST_SUITE'] ?? ''

// The official suite is not part of this repository: name a checkout of it to run it.
describe.skipIf(folder === '')('the official suite, at JSON_SCHEMA_TEST_SUITE', () => {
  const remotes = folder === '' ? new Map<string, JsonSchema>() : readDocuments()

  test.each(Object.entries(drafts))('%s gives the expected answers', (draft, dialect) => {
    const failed = runFiles(listFiles(join(folder, 'tests', draft), false), dialect, false)

    expect(failed).toEqual(knownFailures[draft] ?? [])
  })

  test.each(Object.entries(drafts))('%s: optional tests and formats', (draft, dialect) => {
    const optional = join(folder, 'tests', draft, 'optional')
    runFiles(listFiles(optional, false), dialect, false, 'optional')
    const formats = 'date time date-time email uri uuid ipv4 ipv6 hostname'.split(' ')
    const files = listFiles(join(optional, 'format'), true)

    const failed = runFiles(
      files.filter((file) => formats.some((format) => file.endsWith(`/${format}.json`))),
      dialect,
      true,
    )

    expect(failed).toEqual(knownFailures[`${draft} formats`] ?? [])
  })

  function runFiles(
    files: string[],
    dialect: string,
    assertFormats: boolean,
    label = '',
  ): string[] {
    const failed: string[] = []
    let total = 0
    for (const file of files) {
      for (const { description, schema, tests } of readJson<Group[]>(file)) {
        const written = typeof schema === 'boolean' ? schema : { $schema: dialect, ...schema }
        for (const { description: name, data, valid } of tests) {
          total += 1
          const title = `${relative(folder, file)}: ${description}: ${name}`
          if (judge(written, data, assertFormats) !== valid) failed.push(title)
        }
      }
    }
    console.log(
      `${dialect} ${label} ${assertFormats ? 'formats ' : ''}${total - failed.length} of ${total}`,
    )
    if (label) console.log(failed.join('\n'))
    return failed
  }

  function judge(
    schema: JsonSchema | boolean,
    data: unknown,
    assertFormats: boolean,
  ): boolean | string {
    try {
      const resolve = (uri: string) => remotes.get(uri.replace(/#$/, ''))
      const validate = compileJsonSchema(schema, { assertFormats, resolve, untrusted: false })
      return validate(data) === undefined
    } catch (error) {
      return String(error)
    }
  }

  /** The suite's own remote documents, and the meta-schemas, which we do not ship. */
  function readDocuments(): Map<string, JsonSchema> {
    const root = join(folder, 'remotes')
    const documents = listFiles(root, true).map((file): [string, JsonSchema] => [
      `http://localhost:1234/${relative(root, file)}`,
      readJson(file),
    ])
    const require = createRequire(import.meta.url)
    const refs = join(require.resolve('ajv/package.json'), '../dist/refs')
    const metaSchemas = listFiles(refs, true).map(readJson<JsonSchema>)
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

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T // the suite's own schema promises the shape
}
