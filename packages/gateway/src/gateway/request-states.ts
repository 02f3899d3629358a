import { RpcError, type JsonObject } from '@parley/mcp'
import {
  openText,
  sealText,
  type RelayedAnswer,
  type RelayedCall,
} from '@parley/mcp/internal/relay'

/** What a client keeps for a server between two rounds, as long as it is under our seal. Members are short because they travel. */
interface SealedState {
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
  call: RelayedCall,
  server: string,
  params: JsonObject,
): Promise<{ readonly params: JsonObject; readonly at?: string | undefined }> {
  const { requestState } = params
  if (requestState === undefined || call.caller.stateSecrets === undefined) return { params }
  const text = typeof requestState === 'string' ? await openText(call, requestState) : undefined
  if (text === undefined) throw refused('it was changed, or belongs to another call')
  const { of, state, at } = JSON.parse(text) as SealedState // sealed by us
  if (of !== server) throw refused(`it is of another server than ${JSON.stringify(server)}`)
  return { params: { ...params, requestState: state }, at }
}

/** An answer that asks the client something, its state sealed for this caller, call and server. */
export async function sealState(
  call: RelayedCall,
  server: string,
  answer: Extract<RelayedAnswer, { readonly kind: 'raw' }>,
  at: string | undefined,
): Promise<RelayedAnswer> {
  const { requestState: state } = answer.result as JsonObject // as it came
  if (typeof state !== 'string' || call.caller.stateSecrets === undefined) return answer
  const sealed: SealedState = { of: server, state, at }
  const requestState = await sealText(call, JSON.stringify(sealed))
  return { kind: 'raw', result: { ...answer.result, requestState } }
}

/** Whether an answer has a state of ours and not of the server: then the call waits in this process. */
export async function isOwnState(routed: RelayedCall, answer: RelayedAnswer): Promise<boolean> {
  if (answer.kind !== 'raw' || routed.caller.stateSecrets === undefined) return false
  const { requestState } = answer.result as JsonObject // as it came
  return typeof requestState === 'string' && (await openText(routed, requestState)) !== undefined
}

function refused(why: string): RpcError {
  return new RpcError('invalid_params', `requestState was refused: ${why}; call again without it`)
}
