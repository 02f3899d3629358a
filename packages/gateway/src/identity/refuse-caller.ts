import { RpcError, type JsonObject } from '@parley/mcp'
import type { BackendOutcome, BackendCall } from '@parley/mcp/internal/relay'
import { isJsonObject } from '@parley/mcp/json'

import type { Upstream } from '../upstreams/upstream.ts'
import type { IdentityRejection } from './identity-refusal.ts'
import { accountOf } from './outgoing-credentials.ts'
import type { SignIns } from './sign-ins.ts'

/** The name of our question in a request that comes again. */
const inputRequestKey = 'gateway-sign-in'

/**
 * Tells a caller that a server did not take them. Who can sign in is asked to: by a link where the client can show one, else
 * by a text that says where.
 */
export async function rejectCaller(
  signIns: SignIns | undefined,
  upstream: Upstream | undefined,
  call: BackendCall,
  rejection: IdentityRejection,
): Promise<BackendOutcome> {
  const link = await linkFor(signIns, upstream, call, rejection)
  if (link === undefined) return rejected(call, rejection.message)
  const hasRequested = gatewayReplyIn(call.params) !== undefined
  const { codec, client } = call.caller
  const message = `${rejection.message}. Open this page to ${rejection.signIn?.isMore ? 'agree' : 'sign in'}, then try again`
  const canShow = client.capabilities.elicitation?.url !== undefined && !hasRequested
  if (canShow && codec.has.elicitationIds) {
    const elicitation = { mode: 'url', message, url: link.url, elicitationId: link.id } as const
    throw new RpcError('url_elicitation_required', `${rejection.message}: open the link`, {
      data: { elicitations: [elicitation] },
    })
  }
  if (canShow && !codec.has.initialize) {
    const params = { mode: 'url', message, url: link.url }
    const inputRequests = { [inputRequestKey]: { method: 'elicitation/create', params } }
    return { kind: 'raw', result: { resultType: 'input_required', inputRequests } }
  }
  return rejected(call, `${message}: ${link.url}`)
}

/** Waits for a caller who opened a link and is still signing in when the request comes again. */
export async function awaitSignIn(
  signIns: SignIns | undefined,
  { caller: { auth }, params, signal }: BackendCall,
): Promise<void> {
  if (auth === undefined || gatewayReplyIn(params)?.['action'] !== 'accept') return
  await signIns?.settled(accountOf(auth), signal)
}

function gatewayReplyIn({ inputResponses }: BackendCall['params']): JsonObject | undefined {
  if (!isJsonObject(inputResponses)) return undefined
  const own = inputResponses[inputRequestKey]
  return isJsonObject(own) ? own : undefined
}

/** Answers to our own question are not the server's business. */
export function withoutGatewayReplies(params: BackendCall['params']): BackendCall['params'] {
  const { inputResponses, ...rest } = params
  if (!isJsonObject(inputResponses)) return params
  const { [inputRequestKey]: own, ...others } = inputResponses
  if (own === undefined) return params
  return Object.keys(others).length === 0 ? rest : { ...rest, inputResponses: others }
}

async function linkFor(
  signIns: SignIns | undefined,
  upstream: Upstream | undefined,
  { caller }: BackendCall,
  { signIn }: IdentityRejection,
): Promise<{ readonly url: string; readonly id: string } | undefined> {
  const { auth } = caller
  if (upstream === undefined || !('url' in upstream.server)) return undefined
  const { server } = upstream
  if (!signIn || !signIns || auth === undefined || server.auth?.type !== 'user') return undefined
  const id = crypto.randomUUID()
  const url = await signIns.begin({
    caller: auth,
    upstream: upstream.name,
    scopes: signIn.scopes,
    onDone() {
      if (caller.codec.has.elicitationIds) {
        caller.notifySession('notifications/elicitation/complete', { elicitationId: id })
      }
    },
  })
  return { url, id }
}

/** A model reads the text of a tool; anything else ends with an error. */
function rejected(call: BackendCall, text: string): BackendOutcome {
  if (call.method !== 'tools/call') {
    throw new RpcError('forbidden', text, { data: { option: 'auth' } })
  }
  return { kind: 'result', result: { content: [{ type: 'text', text }], isError: true } }
}
