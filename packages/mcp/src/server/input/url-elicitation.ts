import type { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'

/** Links that a client was sent and that have not been dealt with, as far as we know. */
const sent = new WeakMap<Caller['client'], Set<string>>()

/** Beyond this the oldest are forgotten: their end is not announced. */
const mostPerClient = 1_000

/** Only who was sent a link is told of its end. */
export function rememberLink(client: Caller['client'], elicitationId: string): void {
  const ids = sent.get(client) ?? new Set()
  sent.set(client, ids.add(elicitationId))
  const [oldest] = ids
  if (ids.size > mostPerClient && oldest !== undefined) ids.delete(oldest)
}

/** Tells the caller once that a link it was sent has been dealt with, whether or not the call is over. */
export function completeLink({ caller, isEnded }: Call, elicitationId: string): void {
  if (!sent.get(caller.client)?.delete(elicitationId)) return
  const method = 'notifications/elicitation/complete'
  if (isEnded && caller.tell) caller.tell(method, { elicitationId })
  else caller.notify(method, { elicitationId })
}

/** Whether this caller can be told that links have to be opened first, as an error. */
export function knowsLinkErrors({ codec, client }: Caller): boolean {
  return codec.has.elicitationIds && client.capabilities.elicitation?.url !== undefined
}

/** What a model reads where a revision has no such error. */
export function describeLinks({ message, data }: RpcError<'url_elicitation_required'>): string {
  const lines = data.elicitations.map((link) => `${link.message}: ${link.url}`)
  return [message, ...lines].join('\n')
}
