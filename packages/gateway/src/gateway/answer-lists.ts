import { RpcError, type JsonObject } from '@parley/mcp'
import type { BackendOutcome, BackendCall } from '@parley/mcp/internal/relay'

import type { Caller, Check } from '../checks/check.ts'
import type { Catalogue, Offered } from '../naming/catalogue.ts'
import { listNames, listRules, type ListName } from '../upstreams/upstream-lists.ts'
import { callerOf } from './caller.ts'
import type { GatewayCore } from './core.ts'
import { statusResource } from './status.ts'
import { withTaskSupport } from './task-kinds.ts'

/** Entries of one page. */
const pageSize = 1_000

const lists = new Map<string, ListName>(listNames.map((name) => [listRules[name].method, name]))

/** Which list a request asks for; undefined for any other request. */
export function listRequested(operation: string): ListName | undefined {
  return lists.get(operation)
}

/** One page of what this caller may see. Rejects with `forbidden` for a caller who may see nothing at all. */
export function answerList(
  { checks, search }: GatewayCore,
  call: BackendCall,
  { offered }: Catalogue,
  list: ListName,
): BackendOutcome {
  const caller = checks.length === 0 ? undefined : callerOf(call.caller)
  const all = [...offered[list].values()]
  const shown = caller ? all.filter((each) => hiddenBy(checks, caller, each) === undefined) : all
  if (caller && shown.length === 0) requireSomething(checks, caller, offered)
  const isRequested = list === 'tools' && call.caller.codec.has.tasks === 'core'
  const definitions = shown.map(({ listed, upstream }) =>
    isRequested ? withTaskSupport(listed, upstream) : listed,
  )
  const entries = search && list === 'tools' ? [...search.listed(definitions)] : definitions
  if (list === 'resources') entries.push(statusResource)
  const { cursor } = call.params
  const start = cursor === undefined ? 0 : readCursor(cursor, call.method)
  const end = start + pageSize
  return {
    kind: 'result',
    result: {
      [list]: entries.slice(start, end),
      ...(end < entries.length && { nextCursor: String(end) }),
    } satisfies JsonObject,
  }
}

/** The names of the tools that this caller may see. */
export function shownTools(
  { checks }: GatewayCore,
  call: BackendCall,
  { offered: { tools } }: Catalogue,
): ReadonlySet<string> {
  if (checks.length === 0) return new Set(tools.keys())
  const caller = callerOf(call.caller)
  const shown = [...tools].filter(([, each]) => hiddenBy(checks, caller, each) === undefined)
  return new Set(shown.map(([name]) => name))
}

/** The check that hides it from the caller. */
export function hiddenBy(
  checks: readonly Check[],
  caller: Caller,
  { subject }: Pick<Offered, 'subject'>,
): Check | undefined {
  return checks.find((check) => check.shows?.(caller, subject) === false)
}

/** An empty list would look as if there were nothing. */
function requireSomething(
  checks: readonly Check[],
  caller: Caller,
  offered: Catalogue['offered'],
): void {
  const rules = new Set<string>()
  for (const list of listNames) {
    for (const each of offered[list].values()) {
      const check = hiddenBy(checks, caller, each)
      if (check === undefined) return
      rules.add(check.name)
    }
  }
  if (rules.size === 0) return
  const names = [...rules].map((rule) => JSON.stringify(rule)).join(' and ')
  const who = caller.isAnonymous ? 'an anonymous caller' : `the caller ${caller.principal}`
  throw new RpcError(
    'forbidden',
    `${who} may use nothing behind this gateway, by the rule ${names}; ask the operator`,
    { data: { option: [...rules].join(', ') } },
  )
}

function readCursor(cursor: unknown, operation: string): number {
  const start = typeof cursor === 'string' && /^\d{1,9}$/.test(cursor) ? Number(cursor) : undefined
  if (start !== undefined) return start
  throw new RpcError(
    'invalid_params',
    `${operation}: the cursor is not one of this server; ask for the first page`,
  )
}
