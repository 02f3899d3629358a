import { isLoopbackHost } from '../../rpc/address/loopback-host.ts'
import { parseUrl } from '../../rpc/address/parse-url.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem } from '../../schema/check.ts'
import { elicitParams, type ElicitRequestURLParams } from '../../schema/input/elicitation.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import { sendNotification } from '../notifications.ts'

/** A link that may be sent, with the id by which its end is announced. Throws `invalid_definition` for any other. */
export function prepareLink(
  params: ElicitRequestURLParams,
  feature: string,
): ElicitRequestURLParams & { readonly elicitationId: string } {
  const why = linkProblem(params)
  if (why !== undefined) {
    throw new McpError('invalid_definition', `${feature}: ${why}`, { details: { feature } })
  }
  return { ...params, elicitationId: params.elicitationId ?? crypto.randomUUID() }
}

function linkProblem(params: ElicitRequestURLParams): string | undefined {
  const problem = elicitParams(params)
  if (problem !== undefined) return describeProblem(problem)
  if (params.mode !== 'url') return 'mode: expected "url"'
  const url = parseUrl(params.url)
  if (url === undefined) return 'url: expected an absolute address'
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') return 'url: a link that is shown carries no credentials'
  if (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) return undefined
  return 'url: expected an https address; http is for this machine only'
}

/** An error that names links names every one by an id. */
export function withLinkIds(
  error: RpcError<'url_elicitation_required'>,
  { caller }: Call,
): RpcError<'url_elicitation_required'> {
  const elicitations = error.data.elicitations.map((link) =>
    prepareLink(link, 'url_elicitation_required'),
  )
  for (const { elicitationId } of elicitations) rememberLink(caller.client, elicitationId)
  return new RpcError('url_elicitation_required', error.message, {
    data: { elicitations },
    cause: error,
  })
}

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
  const belongsTo = isEnded ? 'session' : 'call'
  sendNotification(caller, 'notifications/elicitation/complete', { elicitationId }, belongsTo)
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
