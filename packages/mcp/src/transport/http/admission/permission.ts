import type { AuthInfo } from '../../../rpc/auth-info.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { WireError } from '../../../rpc/message.ts'
import { isJsonObject } from '../../../schema/json/json.ts'
import type { AskedOperation, Authorize } from '../../../server/calls/caller.ts'
import type { Denial, Guard } from '../http-options.ts'
import type { HttpHeaders } from '../runtime/exchange.ts'
import { HttpRefusal } from './http-errors.ts'

type AskGuard = NonNullable<Guard['authorize']>

/** What a guard has to say about one request once it is known what that asks for. A class: one is made for each. */
export class Permission {
  readonly authorize: Authorize
  private readonly ask: AskGuard
  private readonly auth: AuthInfo | undefined
  private readonly resource: URL | undefined
  private denial: Denial | undefined

  constructor(ask: AskGuard, auth: AuthInfo | undefined, resource: URL | undefined) {
    this.ask = ask
    this.auth = auth
    this.resource = resource
    this.authorize = (asked) => {
      const verdict = this.ask(this.auth, { resource: this.resource, ...asked })
      if (verdict.kind === 'allow') return undefined
      this.denial = verdict
      return refusalError(verdict, asked.scopes)
    }
  }

  /** Throws `HttpRefusal` unless it is allowed. */
  require(asked: AskedOperation): void {
    const error = this.authorize(asked)
    if (error) throw new HttpRefusal(this.denial?.status ?? 403, error, this.denial?.headers)
  }

  /** The challenge that goes with an error: of the refusal that led to it, or of one that an author threw. */
  challengeFor(status: number, { data }: WireError): HttpHeaders | undefined {
    if (this.denial?.status === status) return this.denial.headers
    const { reason, scopes } = isJsonObject(data) ? data : {}
    if (status === 401 && reason === 'unauthorized') return this.headersFor(undefined, [])
    if (status !== 403 || reason !== 'insufficient_scope' || !Array.isArray(scopes))
      return undefined
    return this.headersFor(
      this.auth,
      scopes.filter((scope) => typeof scope === 'string'),
    )
  }

  private headersFor(
    auth: AuthInfo | undefined,
    scopes: readonly string[],
  ): HttpHeaders | undefined {
    const verdict = this.ask(auth, { method: '', scopes, resource: this.resource })
    return verdict.kind === 'deny' ? verdict.headers : undefined
  }
}

/** A refusal of a guard as an error of the protocol. */
export function refusalError(
  { status, message }: Denial,
  scopes: readonly string[] = [],
): RpcError {
  switch (status) {
    case 400:
      return new RpcError('invalid_request', message)
    case 401:
      return new RpcError('unauthorized', message)
    case 403:
      return new RpcError('insufficient_scope', message, { data: { scopes } })
    case 503:
      return new RpcError('overloaded', message)
  }
}
