import { isLoopbackHost } from '../../rpc/address/loopback-host.ts'
import { parseUrl } from '../../rpc/address/parse-url.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem } from '../../schema/check.ts'
import { elicitParams, type ElicitRequestURLParams } from '../../schema/input/elicitation.ts'
import type { Call } from '../calls/call.ts'
import { rememberLink } from './url-elicitation.ts'

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
