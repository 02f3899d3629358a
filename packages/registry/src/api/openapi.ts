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
