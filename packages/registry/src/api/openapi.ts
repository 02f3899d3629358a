import { answers, bodies, components } from './api-schemas.ts'
import type { Operation } from './operation.ts'

/** The description of these operations, so that others can write clients for them. */
export function describeApi(operations: readonly Operation[]): object {
  const paths: { [path: string]: { [method: string]: object } } = {}
  for (const operation of operations) {
    const path = (paths[`/v0.1/${operation.path}`] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(operation)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'MCP registry',
      version: '0.1.0',
      summary: 'Publish and find MCP servers',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: components,
    },
  }
}

/** The same as a page: plain HTML, without scripts and styles. All of it is text of ours. */
export function describeForPeople(operations: readonly Operation[]): string {
  const rows = operations.map(({ method, path, summary, query = {} }) => {
    const names = Object.keys(query).join(', ')
    return `<tr><td>${method}</td><td><code>/v0.1/${path}</code></td><td>${summary}</td><td>${names}</td></tr>`
  })
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>MCP registry: API</title></head><body>',
    '<h1>MCP registry: API</h1>',
    '<p>For programs: <a href="/openapi.json">/openapi.json</a>, or <a href="/openapi.yaml">/openapi.yaml</a>.</p>',
    '<table border="1"><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>Query</th></tr></thead>',
    `<tbody>${rows.join('')}</tbody></table>`,
    '</body></html>\n',
  ].join('\n')
}

function describeOperation({ path, summary, query = {}, isWriting, isOpen, method }: Operation) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const answer = answers[`${method} ${path}`]
  return {
    operationId: `${method.toLowerCase()}-${path.replaceAll(/[{}]/g, '').replaceAll(/[/.]/g, '-')}`,
    summary,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
    ],
    ...(hasBody && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: bodies[`${method} ${path}`] ?? { type: 'object' } },
        },
      },
    }),
    ...(isWriting && isOpen !== true && { security: [{ bearer: [] }] }),
    responses: {
      200: {
        description: 'Done',
        content: answer
          ? { 'application/json': { schema: answer } }
          : { 'application/atom+xml': { schema: { type: 'string' } } },
      },
      default: {
        description: 'Refused',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  }
}
