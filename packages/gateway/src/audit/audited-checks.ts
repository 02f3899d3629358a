/**
 * Writes one audit record for each request, when it has ended: who asked for what, which rule decided, and how large it was. It is a
 * check that runs before all others; requests wait for the log only where the configuration requires it.
 */

import type { AuditLog } from '@parley/foundation/audit'
import type { JsonObject } from '@parley/mcp'

import type { Check, CheckedRequest, Rejection } from '../checks/check.ts'
import { jsonBytes } from '../checks/limits/json-size.ts'

/** The records written about each request. */
export interface AuditedOptions {
  readonly log: AuditLog
  /** Write arguments too, without what is masked. @defaultValue false */
  readonly arguments?: boolean | undefined
  /** Refuse requests that cannot be written down first. @defaultValue false */
  readonly required?: boolean | undefined
  /** Milliseconds. @defaultValue the clock of the process */
  readonly now?: (() => number) | undefined
}

/** Data about a request in progress. */
interface Underway {
  readonly startedAt: number
  rejection?: {
    readonly stage: 'before' | 'after'
    readonly rule: string
    readonly message: string
  }
  resultBytes?: number
  isError?: boolean
}

const maxCounted = 64 * 1024 * 1024
const maxReasonLength = 500

/**
 * The same checks, with one more that goes first: it writes one record for each request when it has ended, who asked for what, what
 * was decided by which rule, and how large it was. Nobody waits for the log unless it is required.
 */
export function auditedChecks(checks: readonly Check[], options: AuditedOptions): readonly Check[] {
  const { log, required = false, now = () => performance.now() } = options
  /** By signal: each request has its own, also when a check has changed its arguments. */
  const underway = new WeakMap<AbortSignal, Underway>()

  function noteRejection(
    stage: 'before' | 'after',
    request: CheckedRequest,
    outcome: JsonObject | Rejection | undefined,
  ): void {
    if (!isRejection(outcome)) return
    const rejection = {
      stage,
      rule: outcome.rule,
      message: outcome.message.slice(0, maxReasonLength),
    }
    const call = underway.get(request.signal)
    if (call === undefined) writeLater(request, { rejection })
    else call.rejection ??= rejection
  }

  /** Writes the outcome of a request that was recorded before, such as the result of a task. */
  function writeLater(request: CheckedRequest, seen: Omit<Underway, 'startedAt'>): void {
    const at = now()
    void log.append(recordOf(request, { startedAt: at, ...seen }, at, false)) // it never rejects
  }

  function audited(check: Check): Check {
    const { before, after } = check
    return {
      ...check,
      ...(before && {
        async before(request: CheckedRequest) {
          const outcome = await before(request)
          noteRejection('before', request, outcome)
          return outcome
        },
      }),
      ...(after && {
        async after(request: CheckedRequest, result: JsonObject) {
          const outcome = await after(request, result)
          noteRejection('after', request, outcome)
          return outcome
        },
      }),
    }
  }

  const auditor: Check = {
    name: 'audit',
    async before(request) {
      underway.set(request.signal, { startedAt: now() })
      if (!required) return undefined
      const outcome = await log.append({ type: 'request', ...whoAndWhat(request) })
      if (outcome.written) return undefined
      return {
        rejected: true,
        rule: 'audit: required',
        message:
          'this request cannot be written to the audit log, without which nothing is passed on. Try again later',
      }
    },
    after(request, result) {
      const seen = {
        resultBytes: jsonBytes(result, maxCounted),
        isError: result['isError'] === true,
      }
      const call = underway.get(request.signal)
      if (call === undefined) writeLater(request, seen)
      else Object.assign(call, seen)
      return undefined
    },
    ended(request) {
      const call = underway.get(request.signal)
      if (call === undefined) return
      underway.delete(request.signal)
      void log.append(recordOf(request, call, now(), options.arguments ?? false)) // it never rejects
    },
  }
  return [auditor, ...checks.map(audited)]
}

function recordOf(
  request: CheckedRequest,
  call: Underway,
  at: number,
  isWithArguments: boolean,
): JsonObject {
  const { rejection, resultBytes, isError } = call
  return {
    type: 'decision',
    ...whoAndWhat(request),
    outcome:
      rejection !== undefined ? 'refused' : resultBytes === undefined ? 'unanswered' : 'passed',
    ...(rejection && { stage: rejection.stage, rule: rejection.rule, reason: rejection.message }),
    ms: Math.round(at - call.startedAt),
    argumentBytes: jsonBytes(request.arguments, maxCounted),
    ...(resultBytes !== undefined && { resultBytes }),
    ...(isError && { isError }),
    ...(isWithArguments && { arguments: request.arguments }),
  }
}

function whoAndWhat({ caller, method, subject }: CheckedRequest): JsonObject {
  const { principal, isAnonymous, keyId, client } = caller
  return {
    caller: principal,
    ...(isAnonymous && { isAnonymous }),
    // Not `keyId`: what masks secrets by their names would take it for one.
    ...(keyId !== undefined && { withKey: keyId }),
    ...(client && { client: `${client.name} ${client.version}`.slice(0, 200) }),
    method,
    kind: subject.kind,
    upstream: subject.upstream,
    name: subject.name.slice(0, 1_000),
    exposedName: subject.exposedName.slice(0, 1_000),
  }
}

function isRejection(value: JsonObject | Rejection | undefined): value is Rejection {
  return value?.['rejected'] === true && typeof value['rule'] === 'string'
}
