import { isLoopbackHost } from '../../rpc/address/ip-address.ts'
import { parseUrl } from '../../rpc/address/parse-url.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem } from '../../schema/check.ts'
import { elicitParams, type ElicitRequestURLParams } from '../../schema/input/elicitation.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import { sendNotification } from '../notifications.ts'

/** A URL elicitation with its id. Throws `invalid_definition` for a URL that must not be sent. */
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

/** The error with an id for each URL. */
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

/** Ids of URL elicitations that a client was sent and that have not been completed. */
const sent = new WeakMap<Caller['client'], Set<string>>()

/** Beyond this the oldest are forgotten: their completion is not announced. */
const maxPerClient = 1_000

/** Only a client that was sent a URL is told of its completion. */
export function rememberLink(client: Caller['client'], elicitationId: string): void {
  const ids = sent.get(client) ?? new Set()
  sent.set(client, ids.add(elicitationId))
  const [oldest] = ids
  if (ids.size > maxPerClient && oldest !== undefined) ids.delete(oldest)
}

/** Tells the client once that a URL elicitation is complete, whether or not the call is over. */
export function completeLink({ caller, isEnded }: Call, elicitationId: string): void {
  if (!sent.get(caller.client)?.delete(elicitationId)) return
  const belongsTo = isEnded ? 'session' : 'call'
  sendNotification(caller, 'notifications/elicitation/complete', { elicitationId }, belongsTo)
}

/** True if the client knows the error `url_elicitation_required`. */
export function knowsLinkErrors({ codec, client }: Caller): boolean {
  return codec.has.elicitationIds && client.capabilities.elicitation?.url !== undefined
}

/** The text for the model in revisions without that error. */
export function describeLinks({ message, data }: RpcError<'url_elicitation_required'>): string {
  const lines = data.elicitations.map((link) => `${link.message}: ${link.url}`)
  return [message, ...lines].join('\n')
}
