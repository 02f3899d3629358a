import { RpcError, type JsonObject } from '@parley/mcp'
import {
  openText,
  encryptText,
  type BackendOutcome,
  type BackendCall,
} from '@parley/mcp/internal/relay'

/** The state that a client stores for a server between two rounds, encrypted by us. Short names, because it is sent each time. */
interface EncryptedState {
  /** The server that gave it. */
  readonly of: string
  readonly state: string
  /** The process that the call waits at. Absent where any can go on with it. */
  readonly at?: string | undefined
}

/** Whether params or a result have one: most have not, and nothing has to be waited for. */
export function hasState(params: object): boolean {
  return 'requestState' in params
}

/**
 * Params as the server expects them: with the state that it gave. Throws for a state that was not given to this caller, for
 * this call, by this server: a server sees nothing that another one wrote, and nobody can try what a server would take.
 */
export async function openState(
  call: BackendCall,
  server: string,
  params: JsonObject,
): Promise<{ readonly params: JsonObject; readonly at?: string | undefined }> {
  const { requestState } = params
  if (requestState === undefined || call.caller.stateSecrets === undefined) return { params }
  const text = typeof requestState === 'string' ? await openText(call, requestState) : undefined
  if (text === undefined) throw rejected('it was changed, or belongs to another call')
  const { of, state, at } = JSON.parse(text) as EncryptedState // sealed by us
  if (of !== server) throw rejected(`it is of another server than ${JSON.stringify(server)}`)
  return { params: { ...params, requestState: state }, at }
}

/** An answer that asks the client something, its state sealed for this caller, call and server. */
export async function encryptState(
  call: BackendCall,
  server: string,
  answer: Extract<BackendOutcome, { readonly kind: 'raw' }>,
  at: string | undefined,
): Promise<BackendOutcome> {
  const { requestState: state } = answer.result as JsonObject // as it came
  if (typeof state !== 'string' || call.caller.stateSecrets === undefined) return answer
  const encrypted: EncryptedState = { of: server, state, at }
  const requestState = await encryptText(call, JSON.stringify(encrypted))
  return { kind: 'raw', result: { ...answer.result, requestState } }
}

/** Whether an answer has a state of ours and not of the server: then the call waits in this process. */
export async function isGatewayState(
  routed: BackendCall,
  answer: BackendOutcome,
): Promise<boolean> {
  if (answer.kind !== 'raw' || routed.caller.stateSecrets === undefined) return false
  const { requestState } = answer.result as JsonObject // as it came
  return typeof requestState === 'string' && (await openText(routed, requestState)) !== undefined
}

function rejected(why: string): RpcError {
  return new RpcError('invalid_params', `requestState was refused: ${why}; call again without it`)
}
