import { isJsonObject, parseJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../shared/json-document.ts'

/**
 * The one place that is lenient. The OAuth library reads answers strictly; what real issuers write otherwise, and loses
 * no check by being read, is put right here first. Each case has a fixture.
 */
export async function normalizeTokenResponse(response: Response): Promise<Response> {
  const body = await jsonOf(response)
  if (body === undefined) return response
  // GitHub reports errors with status 200.
  if (typeof body['error'] === 'string' && response.status < 400)
    return rejection(body, 400, response)
  // Beside `WWW-Authenticate: Basic` the library does not look at the error in the body.
  if (response.status !== 200) return rejection(body, response.status, response)
  // An ID token is of no use to us; Entra's names another issuer than its metadata.
  const { id_token: _, ...rest } = body
  const scope = scopeText(rest['scope'])
  const isBare = typeof rest['access_token'] === 'string' && rest['token_type'] === undefined
  return answer(
    {
      ...withoutEmpty(rest, ['refresh_token', 'expires_in', 'scope', 'token_type']),
      ...(isBare && { token_type: 'bearer' }),
      ...(scope !== undefined && { scope }),
    },
    200,
    response,
  )
}

/** The same for answers to a registration. */
export async function normalizeRegistrationResponse(response: Response): Promise<Response> {
  const body = await jsonOf(response)
  if (body === undefined) return response
  if (response.status >= 400) return rejection(body, response.status, response)
  const rest = withoutEmpty(body, ['client_secret', 'client_secret_expires_at'])
  const isEternal = 'client_secret' in rest && !('client_secret_expires_at' in rest)
  const isCreated = typeof rest['client_id'] === 'string' && response.status === 200
  return answer(
    { ...rest, ...(isEternal && { client_secret_expires_at: 0 }) },
    isCreated ? 201 : response.status,
    response,
  )
}

async function jsonOf(response: Response): Promise<JsonObject | undefined> {
  const value = parseJsonObject(await response.clone().text())
  return isJsonObject(value) ? value : undefined
}

/** Some write null or nothing where they have nothing to say. */
function withoutEmpty(body: JsonObject, names: readonly string[]): JsonObject {
  const isEmpty = (value: unknown) => value === null || value === ''
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !names.includes(name) || !isEmpty(value)),
  )
}

/** GitHub separates by commas, others write a list. */
function scopeText(scope: unknown): string | undefined {
  if (Array.isArray(scope)) return scope.map(String).join(' ')
  if (typeof scope !== 'string' || scope === '') return undefined
  return scope.includes(' ') ? scope : scope.replaceAll(',', ' ')
}

/** An error is a name and words about it; anything else in there is not read. */
function rejection(
  { error, error_description }: JsonObject,
  status: number,
  from: Response,
): Response {
  const words = typeof error_description === 'string' ? { error_description } : {}
  return answer(typeof error === 'string' ? { error, ...words } : {}, status, from)
}

function answer(body: JsonObject, status: number, from: Response): Response {
  const nonce = from.headers.get('dpop-nonce')
  return Response.json(body, { status, headers: nonce === null ? {} : { 'dpop-nonce': nonce } })
}
