/**
 * What the two brokers of server requests share, `elicitation.ts` and `sampling.ts`: the policy for each server, what the user
 * decided for the rest of the session, how often a server may ask, and the audit.
 */

import type { ServerExchange } from '../consent/consent.ts'
import { createCallRate, type CallRate } from '../turn/limits.ts'

/** Writes to the audit what a server gets, before it gets it. If that fails, the server does not get it. */
export type RecordExchange = (exchange: ServerExchange) => Promise<void>

/** Decides for each server whether it may ask. `Rule` are the answers that a policy may give. */
export class ServerRequestGate<Rule extends string> {
  private readonly kind: ServerExchange['kind']
  private readonly policy: (server: string) => Rule
  private readonly perMinute: number
  private readonly recordExchange: RecordExchange | undefined
  private readonly decided = new Map<string, Rule>()
  private readonly rates = new Map<string, CallRate>()

  constructor(
    kind: ServerExchange['kind'],
    policy: (server: string) => Rule,
    perMinute: number,
    recordExchange: RecordExchange | undefined,
  ) {
    this.kind = kind
    this.policy = policy
    this.perMinute = perMinute
    this.recordExchange = recordExchange
  }

  /** The rule for a server: the user's decision in this session, else the policy. */
  ruleFor(server: string): Rule {
    return this.decided.get(server) ?? this.policy(server)
  }

  /** Remembers a decision of the user for this session. */
  decide(server: string, rule: Rule): void {
    this.decided.set(server, rule)
  }

  /** Counts a request. Throws if the server has sent too many within a minute. */
  count(server: string, what: string): void {
    const rate = this.rates.get(server) ?? createCallRate(this.perMinute)
    this.rates.set(server, rate)
    if (rate.take() === 0) return
    throw new Error(`${server} asked for ${what} more than ${this.perMinute} times within a minute`)
  }

  async record(
    server: string,
    decision: ServerExchange['decision'],
    message: string,
  ): Promise<void> {
    await this.recordExchange?.({ kind: this.kind, server, decision, message })
  }
}
