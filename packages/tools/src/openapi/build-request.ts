import type { JsonObject, JsonValue } from '@parley/mcp'

import type { ToolInput } from './input.ts'
import { objectOf, type Operation, type Parameter } from './operations.ts'
import { isJsonType, typeOf, writeBody } from './request-body.ts'
import type { Authorization } from './security.ts'
import { encodeQuery, headerText, pathText, queryPairs, type Pair } from './serialize.ts'

/** A request ready to be sent. */
export interface ApiRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
}

/** The parts of a request. */
export interface RequestParts {
  readonly base: URL
  readonly operation: Operation
  readonly input: ToolInput
  readonly args: JsonObject
  readonly authorization: Authorization
  readonly headers: { readonly [name: string]: string }
}

/** Writes a request, or says what is wrong with the arguments. */
export async function buildRequest(
  parts: RequestParts,
): Promise<ApiRequest | { readonly problem: string }> {
  const { base, operation, input, args, authorization } = parts
  const values = input.parameters.flatMap(([argument, parameter]) => {
    const value = Object.hasOwn(args, argument) ? args[argument] : undefined
    return value === undefined || value === null ? [] : [{ argument, parameter, value }]
  })
  const path = pathOf(base, operation.path, values)
  if (typeof path !== 'string') return path
  const url = new URL(base)
  url.pathname = path
  const own = values.filter(({ parameter }) => parameter.in === 'query')
  url.search = queryOf(url, own, authorization)
  const headers = new Headers({ accept: acceptOf(operation), ...parts.headers })
  const cookies: string[] = authorization.cookies.map(([name, value]) => `${name}=${value}`)
  try {
    for (const { parameter, value } of values) {
      if (parameter.in === 'header') headers.set(parameter.name, headerText(parameter, value))
      if (parameter.in === 'cookie') {
        for (const [name, text] of queryPairs(parameter, value)) {
          cookies.push(`${name}=${encodeURIComponent(text)}`)
        }
      }
    }
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  } catch {
    return { problem: 'an argument that becomes a header has characters that headers cannot have' }
  }
  for (const [name, value] of authorization.headers) headers.set(name, value)
  const value = input.body && args[input.body.argument]
  const method = operation.method.toUpperCase()
  if (input.body === undefined || value === undefined) {
    return { url, method, headers, body: undefined }
  }
  const { body, contentType } = await writeBody(input.body.format, value)
  headers.set('content-type', contentType)
  return { url, method, headers, body }
}

interface Given {
  readonly argument: string
  readonly parameter: Parameter
  readonly value: JsonValue
}

/** The path with its parameters. `.` and `..` would lead to another operation, encoded or not. */
function pathOf(
  base: URL,
  template: string,
  values: readonly Given[],
): string | { readonly problem: string } {
  let problem: string | undefined
  const path = template.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const found = values.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)
    const text = found && pathText(found.parameter, found.value)
    if (text === undefined || text === '') {
      problem ??= `"${found?.argument ?? name}" is missing: it is part of the path ${template}`
      return whole
    }
    return text
  })
  const isRemote = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  if (isRemote) problem ??= `an argument of the path ${template} cannot be "." or ".."`
  return problem === undefined ? `${base.pathname.replace(/\/+$/, '')}${path}` : { problem }
}

function queryOf(url: URL, values: readonly Given[], { query }: Authorization): string {
  const reserved = new Set<string>()
  const pairs: Pair[] = [...url.searchParams]
  for (const { parameter, value } of values) {
    if (parameter.allowReserved) reserved.add(parameter.name)
    if (parameter.isJson) pairs.push([parameter.name, JSON.stringify(value)])
    else pairs.push(...queryPairs(parameter, value))
  }
  // A value of the caller must not replace a credential.
  const secret = new Set(query.map(([name]) => name))
  const others = pairs.filter(([name]) => !secret.has(name))
  return encodeQuery([...others, ...query], reserved)
}

function acceptOf({ responses }: Operation): string {
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue
    const types = Object.keys(objectOf(objectOf(response)['content']))
    const json = types.find((type) => isJsonType(typeOf(type)) && !type.includes(';'))
    if (json !== undefined) return json
    if (types.length > 0) return `${types.slice(0, 5).join(', ')}, */*;q=0.1`
  }
  return 'application/json, */*;q=0.1'
}
