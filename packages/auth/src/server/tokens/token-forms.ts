import { jwtBearer, workloadClient } from '../clients/known-clients.ts'
import type { BridgedRequest } from '../provider/node-bridge.ts'
import type { Settings } from '../settings.ts'
import { tokenId } from './issued-tokens.ts'
import type { KeySet } from './keys.ts'

/** Brings a request to the token endpoint into the form that the provider takes. */
export function prepareTokenRequest(bridged: BridgedRequest, settings: Settings): BridgedRequest {
  const form = readForm(bridged)
  const headers = new Headers(bridged.headers)
  const isBearer = form.get('grant_type') === jwtBearer
  const isNameless = !form.get('client_id') && !headers.has('authorization')
  if (isBearer && isNameless) form.set('client_id', workloadClient)
  moveSecret(form, headers, settings)
  return { ...bridged, headers, body: writeForm(form) }
}

/** The same for requests about a token: the provider knows signed ones by their ids. */
export async function prepareTokenQuestion(
  bridged: BridgedRequest,
  keys: KeySet,
  settings: Settings,
): Promise<BridgedRequest> {
  if (bridged.body === undefined) return bridged
  const form = readForm(bridged)
  const headers = new Headers(bridged.headers)
  moveSecret(form, headers, settings)
  const token = form.get('token')
  if (token !== null) form.set('token', await tokenId(token, keys, settings))
  return { ...bridged, headers, body: writeForm(form) }
}

/** Clients that were agreed on may send their secret in the body as well as in the header. */
function moveSecret(form: URLSearchParams, headers: Headers, { clients }: Settings): void {
  const id = form.get('client_id') ?? ''
  const secret = form.get('client_secret')
  const isKnown = clients.some(({ clientId }) => clientId === id)
  if (!isKnown || secret === null || headers.has('authorization')) return
  const pair = [id, secret].map((item) => new URLSearchParams({ '': item }).toString().slice(1))
  headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`)
  form.delete('client_secret')
  form.delete('client_id')
}

function readForm({ body }: BridgedRequest): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body))
}

function writeForm(form: URLSearchParams): Uint8Array {
  return new TextEncoder().encode(form.toString())
}
