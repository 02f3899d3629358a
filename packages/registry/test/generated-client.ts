import { compileJsonSchema } from '@parley/mcp'

/** What a client is generated from: a description of an API by OpenAPI, as far as it is looked at. */
export interface DescribedApi {
  readonly paths: { readonly [path: string]: { readonly [method: string]: DescribedOperation } }
  readonly components: object
}

/** One method of one path. */
export interface DescribedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: { readonly [status: string]: { readonly content?: DescribedContent } }
}

type DescribedContent = { readonly [type: string]: { readonly schema: object } }

/** How an operation is called: parameters of path and query by their names. */
export interface GeneratedParameters {
  readonly [name: string]: string | number
}

/** An answer that is of the shape that the description has for its status. */
export interface GeneratedAnswer {
  readonly status: number
  readonly type: string
  readonly value: unknown
}

/** Calls an operation. */
export type GeneratedCall = (
  parameters?: GeneratedParameters,
  sent?: { readonly body?: unknown; readonly token?: string | undefined },
) => Promise<GeneratedAnswer>

/**
 * A client made of an OpenAPI document and of nothing else: a function for each operation, by `GET /path`. It fills in the
 * path, refuses parameters that the document does not have, and rejects an answer of another shape than the document says.
 */
export function generateClient(
  description: DescribedApi,
  base: string,
  send: (request: Request) => Promise<Response> = fetch,
): ReadonlyMap<string, GeneratedCall> {
  const compiled = new Map<object, ReturnType<typeof compileJsonSchema>>()
  const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const call: GeneratedCall = async (parameters = {}, { body, token } = {}) => {
        const request = new Request(urlOf(base, path, operation, parameters), {
          method: method.toUpperCase(),
          headers: {
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const response = await send(request)
        return read(name, operation, response)
      }
      return [name, call] as const
    }),
  )

  async function read(
    name: string,
    { responses }: DescribedOperation,
    response: Response,
  ): Promise<GeneratedAnswer> {
    const { status } = response
    const content = (responses[String(status)] ?? responses['default'])?.content ?? {}
    const type = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
    // Problem documents are JSON too, for descriptions that do not name their type.
    const described =
      content[type] ?? (type.includes('json') ? content['application/json'] : undefined)
    if (described === undefined) {
      throw new Error(`${name} answers with ${status} and ${type}, which is not described`)
    }
    const text = await response.text()
    const value: unknown = type.includes('json') ? JSON.parse(text) : text
    const check =
      compiled.get(described) ??
      compileJsonSchema({ ...described.schema, components: description.components })
    compiled.set(described, check)
    const issues = check(value)
    if (issues !== undefined) throw new Error(`${name}: ${JSON.stringify(issues)}`)
    return { status, type, value }
  }

  return new Map(calls)
}

function urlOf(
  base: string,
  path: string,
  { parameters: known = [] }: DescribedOperation,
  given: GeneratedParameters,
): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name])),
  )
  const url = new URL(base + filled)
  for (const [name, value] of Object.entries(given)) {
    const place = known.find((one) => one.name === name)?.in
    if (place === undefined) throw new Error(`${path} has no parameter ${name}`)
    if (place === 'query') url.searchParams.set(name, String(value))
  }
  return url
}
