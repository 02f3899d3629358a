import { compileJsonSchema } from '@parley/mcp'

import type { ApiDescription } from './registry-specification.ts'

/** A call of an operation: parameters of path and query by their names. */
export type GeneratedCall = (parameters?: {
  readonly [name: string]: string | number
}) => Promise<unknown>

interface DescribedParameter {
  readonly name: string
  readonly in: string
  readonly $ref?: string
}

/**
 * A client made of the OpenAPI document and of nothing else: a function for each `GET`, by `GET /path`. It fills in the path,
 * refuses parameters that the document does not have, and rejects an answer of another shape than the document says.
 */
export function generateClient(
  description: ApiDescription,
  base: string,
  send: (request: Request) => Promise<Response> = fetch,
): ReadonlyMap<string, GeneratedCall> {
  const paths = Object.entries(description.paths)
  return new Map(
    paths.flatMap(([path, methods]) => {
      const { get } = methods as {
        readonly get?: {
          readonly parameters?: readonly DescribedParameter[]
          readonly responses: {
            readonly [status: string]: {
              readonly content: { readonly 'application/json': { readonly schema: object } }
            }
          }
        }
      } // as OpenAPI has it
      if (get === undefined) return []
      const { parameters = [], responses } = get
      const call: GeneratedCall = async (given = {}) => {
        const url = new URL(
          base +
            path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
              encodeURIComponent(String(given[name])),
            ),
        )
        for (const [name, value] of Object.entries(given)) {
          const place = parameters.find((one) => one.name === name)?.in
          if (place === undefined) throw new Error(`${path} has no parameter ${name}`)
          if (place === 'query') url.searchParams.set(name, String(value))
        }
        const response = await send(new Request(url))
        const described = responses[String(response.status)]
        if (described === undefined) throw new Error(`${url.href} answers with ${response.status}`)
        const value: unknown = await response.json()
        const { schema } = described.content['application/json']
        const issue = compileJsonSchema({ ...schema, components: description.components })(value)
        if (issue !== undefined) throw new Error(`${url.href}: ${JSON.stringify(issue)}`)
        return value
      }
      return [[`GET ${path}`, call] as const]
    }),
  )
}
