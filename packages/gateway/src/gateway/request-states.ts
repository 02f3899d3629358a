import { RpcError, type JsonObject } from '@parley/mcp'
import { openText, sealText, type RelayedAnswer, type RelayedCall } from '@parley/mcp/proxy'

/** What a client keeps for a server between two rounds, as long as it is under our seal. Members are short because they travel. */
interface SealedState {
  /** The server that gave it. */
  readonly of: string
  readonly state: string
}

/**
 * Params as the server expects them: with the state that it gave. Throws for a state that was not given to this caller, for
 * this call, by this server: a server sees nothing that another one wrote, and nobody can try what a server would take.
 */
export async function openState(
  call: RelayedCall,
  server: string,
  params: JsonObject,
): Promise<JsonObject> {
  const { requestState } = params
  if (requestState === undefined || call.caller.stateSecrets === undefined) return params
  const text = typeof requestState === 'string' ? await openText(call, requestState) : undefined
  if (text === undefined) throw refused('it was changed, or belongs to another call')
  const { of, state } = JSON.parse(text) as SealedState // sealed by us
  if (of !== server) throw refused(`it is of another server than ${JSON.stringify(server)}`)
  return { ...params, requestState: state }
}

/** An answer that asks the client something, its state sealed for this caller, call and server. */
export async function sealState(
  call: RelayedCall,
  server: string,
  answer: Extract<RelayedAnswer, { readonly kind: 'raw' }>,
): Promise<RelayedAnswer> {
  const { requestState: state } = answer.result as JsonObject // as it came
  if (typeof state !== 'string' || call.caller.stateSecrets === undefined) return answer
  const sealed: SealedState = { of: server, state }
  const requestState = await sealText(call, JSON.stringify(sealed))
  return { kind: 'raw', result: { ...answer.result, requestState } }
}

function refused(why: string): RpcError {
  return new RpcError('invalid_params', `requestState was refused: ${why}; call again without it`)
}
