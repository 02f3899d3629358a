import { serverSchema } from '../validation/server-schema.ts'
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
      schemas: {
        ServerDocument: serverSchema,
        Problem: {
          type: 'object',
          required: ['title', 'status', 'detail', 'error'],
          properties: {
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string' },
            error: { type: 'string' },
            errors: { type: 'array', items: { type: 'object', required: ['message'] } },
          },
        },
      },
    },
  }
}

function describeOperation({ path, summary, query = {}, isWriting, isOpen, method }: Operation) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return {
    summary,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
    ],
    ...(hasBody && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    }),
    ...(isWriting && isOpen !== true && { security: [{ bearer: [] }] }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } },
      default: {
        description: 'Refused',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  }
}
