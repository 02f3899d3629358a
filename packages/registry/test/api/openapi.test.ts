import { compileJsonSchema } from '@parley/mcp'
import { schemaUrl } from '@parley/registry/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import { hasSpecification, readApiDescription, readExamples } from '../registry-specification.ts'
import {
  documentOf,
  openRegistry,
  versionsIn,
  type Answer,
  type AskInit,
  type TestRegistry,
} from '../registry-under-test.ts'

const description = readApiDescription()
const described = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { responses }]) =>
    Object.entries(responses).map(([status, { content }]) => ({
      title: `${method.toUpperCase()} ${path} ${status}`,
      method: method.toUpperCase(),
      path: path.replace('/v0.1/', ''),
      status: Number(status),
      schema: content['application/json'].schema,
    })),
  ),
)

/** What leads to each status, where the operation alone does not say it. */
function requestFor(method: string, path: string, status: number): readonly [string, AskInit] {
  const name = status === 404 ? 'com.example%2Fnone' : 'com.example%2Fone'
  const filled = path.replace('{serverName}', name).replace('{version}', '1.0.0')
  const token = status === 401 ? 'wrong' : undefined
  const body = bodyFor(method, path, status)
  return [filled, { method, ...(token && { token }), ...(body && { body }) }]
}

function bodyFor(method: string, path: string, status: number): object | undefined {
  if (path.endsWith('status')) {
    return status === 400 ? { status: 'active' } : { status: 'deprecated', statusMessage: 'old' }
  }
  if (method === 'POST') return documentOf('com.example/two', '1.0.0')
  if (method === 'PUT') return documentOf('com.example/one', '1.0.0', { title: 'New' })
  return undefined
}

describe.runIf(hasSpecification).each(kinds)('the OpenAPI document on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  async function askFor(method: string, path: string, status: number): Promise<Answer> {
    const database = await databases.create()
    const registry = await openRegistry({ database, readOnly: false })
    await using _ = registry
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    const [filled, init] = requestFor(method, path, status)
    if (status === 403) {
      await using other = await openRegistry({
        database,
        url: 'http://registry.test',
        auth: { anonymous: true },
      })
      const signedIn = await other.ask('auth/none', { body: {}, token: false })
      const { registry_token: token } = signedIn.body as { registry_token: string }
      return await other.ask(filled, { ...init, token })
    }
    if (status === 501) {
      await using readOnly = await openRegistry({ database, readOnly: true })
      return await readOnly.ask(filled, { ...init, token: 'any' })
    }
    if (status === 500) {
      const token = await registry.token()
      await registry.registry.close()
      return await registry.ask(filled, { ...init, token })
    }
    return await registry.ask(filled, init)
  }

  it.each(described)('answers $title as described [REG-04, REG-06]', async (one) => {
    const answer = await askFor(one.method, one.path, one.status)
    expect(answer.status).toBe(one.status)
    const validate = compileJsonSchema({ ...one.schema, components: description.components })
    expect(validate(answer.body)).toBeUndefined()
    const isError = one.status >= 400
    expect(answer.headers.get('content-type')).toBe(
      isError ? 'application/problem+json' : 'application/json',
    )
    if (isError) expect(answer.body).toHaveProperty('error', expect.any(String))
  })

  it('publishes the twelve examples and gives them back unchanged [REG-02, REG-03]', async () => {
    const registry: TestRegistry = await openRegistry({ database: await databases.create() })
    await using _ = registry
    const examples = readExamples().map(
      ([, document]) => ({ ...document, $schema: schemaUrl }) as ReturnType<typeof documentOf>,
    )
    expect(examples).toHaveLength(12)
    for (const document of examples) {
      const published = await registry.publish(document)
      expect([published.status, published.body]).toEqual([200, expect.anything()])
      const { name, version } = document
      const path = `servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`
      const read = await registry.ask(path)
      expect((read.body as { server: object }).server).toEqual(document)
    }
    expect(versionsIn(await registry.ask('servers?limit=100'))).toHaveLength(12)
  })
})
