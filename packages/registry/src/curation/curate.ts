import { isJsonObject } from '@parley/mcp/json'

import { Problem } from '../api/problem.ts'
import type { RegistryDatabase } from '../storage/tables.ts'
import { write } from '../storage/write.ts'
import { applyRules, markPending } from './apply-rules.ts'
import { ruleKinds, type RuleKind } from './rules.ts'
import { maxRules } from './stored-rules.ts'

/** A decision to take or to take back. */
export interface CurationChange {
  /** `remove` takes a rule of this kind and pattern back. */
  readonly action: 'set' | 'remove'
  /** What kind of rule it is. */
  readonly kind: RuleKind
  /** A name, `name@version`, a beginning followed by `*`; for `block` a namespace. */
  readonly pattern: string
  /** The version of a pin; the object of an overlay. */
  readonly value?: unknown
  /** For those who ask why. */
  readonly reason: string
}

/** What a change has done. */
export interface CurationOutcome {
  /** Versions that are shown differently now. */
  readonly changed: number
}

const side = '[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?'
const forms: { readonly [kind in RuleKind]: RegExp } = {
  allow: new RegExp(`^(?:${side}/${side}|[a-zA-Z0-9./_-]*\\*)$`),
  deny: new RegExp(`^(?:${side}/${side}(?:@.{1,255})?|[a-zA-Z0-9./_-]+\\*)$`),
  private: new RegExp(`^(?:${side}/${side}|[a-zA-Z0-9./_-]+\\*)$`),
  block: new RegExp(`^${side}$`),
  pin: new RegExp(`^${side}/${side}$`),
  overlay: new RegExp(`^(?:${side}/${side}|[a-zA-Z0-9./_-]*\\*)$`),
}
const maxOverlay = 4_096

/** Throws a problem for a change that cannot be. */
export function requireChange({ action, kind, pattern, value, reason }: CurationChange): void {
  const wrong = (location: string, message: string) =>
    new Problem(422, `The rule cannot be set: ${location} ${message}.`, {
      details: [{ message, location: `body.${location}` }],
    })
  if (!ruleKinds.includes(kind)) throw wrong('kind', `must be one of ${ruleKinds.join(', ')}`)
  if (pattern.length > 460 || !forms[kind].test(pattern)) {
    const shape =
      kind === 'block' ? 'a namespace such as io.github.ada' : 'a name such as com.example/weather'
    const more =
      kind === 'block' || kind === 'pin' ? '' : ', or the beginning of names followed by *'
    throw wrong('pattern', `must be ${shape}${more}`)
  }
  if (reason.trim() === '' || reason.length > 500 || reason.includes('\0')) {
    throw wrong('reason', 'must say why, in at most 500 characters')
  }
  if (action === 'remove') return
  if (kind === 'pin' && (typeof value !== 'string' || value === '' || value.length > 255)) {
    throw wrong('value', 'must be the version that is the latest')
  }
  if (kind === 'overlay') requireOverlay(value, wrong)
}

/** Keys of one's own only: what the registry and publishers say stays theirs. */
function requireOverlay(value: unknown, wrong: (location: string, message: string) => Problem) {
  if (!isJsonObject(value)) {
    throw wrong('value', 'must be an object of keys such as com.example/stars')
  }
  for (const key of Object.keys(value)) {
    const isOwn = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/[\w.-]+$/i.test(key)
    const isUsed = /(?:^|\.)modelcontextprotocol\.|^dev\.parley\.registry\//i.test(key)
    if (!isOwn || isUsed) {
      throw wrong(
        'value',
        `has the key ${JSON.stringify(key.slice(0, 100))}: use a domain of yours, as in com.example/stars`,
      )
    }
  }
  const text = JSON.stringify(value)
  if (text.length > maxOverlay || text.includes('\\u0000')) {
    throw wrong('value', `must have at most ${maxOverlay} characters as JSON, and no U+0000`)
  }
}

/** Sets or removes a rule, and makes everything that is there follow it. */
export async function curate(
  database: RegistryDatabase,
  change: CurationChange,
  { author, now }: { readonly author: string; readonly now: () => number },
): Promise<CurationOutcome> {
  requireChange(change)
  const { action, kind, pattern, reason } = change
  const value =
    kind === 'overlay' ? JSON.stringify(change.value) : kind === 'pin' ? String(change.value) : null
  await write(database, async (writing) => {
    if (action === 'remove') {
      const { numDeletedRows } = await writing
        .deleteFrom('registry_rules')
        .where('kind', '=', kind)
        .where('pattern', '=', pattern)
        .executeTakeFirstOrThrow()
      if (Number(numDeletedRows) === 0) {
        throw new Problem(404, `There is no rule ${kind} ${pattern}.`)
      }
    } else {
      const { count } = await writing
        .selectFrom('registry_rules')
        .select((build) => build.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxRules) {
        throw new Problem(400, `A registry has at most ${maxRules} rules.`)
      }
      const row = { value, reason, author, at: new Date(now()).toISOString() }
      await writing
        .insertInto('registry_rules')
        .values({ kind, pattern, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'pattern']).doUpdateSet(row))
        .execute()
    }
    await markPending(writing)
  })
  return { changed: await applyRules(database, now, scopeOf(change)) }
}

/** Which names a change may concern; undefined for all. */
function scopeOf({ kind, pattern }: CurationChange): { from: string; to: string } | undefined {
  if (kind === 'allow') return undefined
  if (kind === 'block') return { from: `${pattern}/`, to: `${pattern}/\u{10ffff}` }
  if (pattern.endsWith('*')) {
    return { from: pattern.slice(0, -1), to: `${pattern.slice(0, -1)}\u{10ffff}` }
  }
  const [name = pattern] = pattern.split('@', 1)
  return { from: name, to: `${name}!` } // the sign before all that names have
}
