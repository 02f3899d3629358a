/** What a rule does to the names it is for. */
export type RuleKind = (typeof ruleKinds)[number]

/** `allow`: only these are listed. `deny`: not these. `private`: only for those who may publish them. `block`: a namespace, whose entries are hidden and which publishes nothing. `pin`: which version is the latest. `overlay`: more for `_meta`. */
export const ruleKinds = ['allow', 'deny', 'private', 'block', 'pin', 'overlay'] as const

/** A decision of an operator about names. */
export interface CurationRule {
  /** What kind of rule it is. */
  readonly kind: RuleKind
  /** A name, `name@version`, a beginning followed by `*`; for `block` a namespace. */
  readonly pattern: string
  /** The version of a pin; the object of an overlay, as JSON. */
  readonly value?: string | undefined
  /** Why it was decided. */
  readonly reason: string
  /** Who decided. */
  readonly author: string
  /** When, as an ISO date. */
  readonly at: string
}

/** What the rules make of one version. */
export interface RuleOutcome {
  /** 0 shown, 1 hidden, 2 private. */
  readonly hidden: 0 | 1 | 2
  readonly reason?: string | undefined
  /** A JSON object. */
  readonly overlay?: string | undefined
}

/** All rules of a registry, ready to be asked. */
export interface Rules {
  readonly classify: (name: string, version: string) => RuleOutcome
  /** The version that is the latest by decision. */
  readonly pinOf: (name: string) => string | undefined
  /** Why nobody may publish this name; undefined if they may. */
  readonly findBlock: (name: string) => string | undefined
}

const shown: RuleOutcome = { hidden: 0 }

/** Hiding goes before privacy, and both before an overlay; of several overlays the longest pattern wins key by key. */
export function compileRules(rules: readonly CurationRule[]): Rules {
  if (rules.length === 0) {
    return { classify: () => shown, pinOf: () => undefined, findBlock: () => undefined }
  }
  const exact = new Map<string, CurationRule[]>()
  const starting: CurationRule[] = []
  for (const rule of rules) {
    const { kind, pattern } = rule
    if (kind === 'block') starting.push({ ...rule, pattern: `${pattern}/*` })
    else if (pattern.endsWith('*')) starting.push(rule)
    else exact.set(pattern, [...(exact.get(pattern) ?? []), rule])
  }
  const isAllowList = rules.some(({ kind }) => kind === 'allow')

  function matching(name: string, version?: string): readonly CurationRule[] {
    return [
      ...starting.filter(({ pattern }) => name.startsWith(pattern.slice(0, -1))),
      ...(exact.get(name) ?? []),
      ...(version === undefined ? [] : (exact.get(`${name}@${version}`) ?? [])),
    ]
  }

  return {
    classify(name, version) {
      const found = matching(name, version)
      const against = found.find(({ kind }) => kind === 'deny' || kind === 'block')
      const overlay = mergeOverlays(found)
      if (against !== undefined) return { hidden: 1, reason: against.reason, overlay }
      if (isAllowList && !found.some(({ kind }) => kind === 'allow')) {
        return { hidden: 1, reason: 'it is not on the allow list of this registry', overlay }
      }
      const isPrivate = found.some(({ kind }) => kind === 'private')
      return { hidden: isPrivate ? 2 : 0, overlay }
    },
    pinOf: (name) => exact.get(name)?.find(({ kind }) => kind === 'pin')?.value,
    findBlock(name) {
      const block = matching(name).find(({ kind }) => kind === 'block')
      return block && `the publisher ${block.pattern.slice(0, -2)} is blocked: ${block.reason}`
    },
  }
}

function mergeOverlays(rules: readonly CurationRule[]): string | undefined {
  const overlays = rules
    .filter(({ kind, value }) => kind === 'overlay' && value !== undefined)
    .toSorted((a, b) => a.pattern.length - b.pattern.length)
  if (overlays.length === 0) return undefined
  // Only objects are stored.
  return JSON.stringify(Object.assign({}, ...overlays.map(({ value = '{}' }) => JSON.parse(value))))
}
