import type { JsonObject } from '@parley/mcp'

import type { Check, Rejection, Subject } from '../check.ts'
import { definitionHash, keyOf, quarantineId } from './definition-hash.ts'
import { openPinStore, type PinStore } from './pin-store.ts'
import { sharePins } from './shared-pins.ts'

/** The reaction to definitions that are not approved. */
export type PinningMode = 'off' | 'warn' | 'enforce'

/** Which definitions are pinned, and where. */
export interface PinningOptions {
  /** Keeps what was approved; for its owner alone, shared by all processes. */
  readonly file: string
  /** `warn` tells of what is new or changed, `enforce` holds it back. @defaultValue 'warn' */
  readonly mode?: PinningMode | undefined
  /** @defaultValue tools and prompts: resources come and go */
  readonly kinds?: readonly Subject['kind'][] | undefined
  /** Is told once of each new or changed definition. */
  readonly onQuarantine?:
    | ((subject: Subject, reason: 'new' | 'changed', id: string) => void)
    | undefined
  readonly onProblem?: ((message: string) => void) | undefined
  readonly now?: (() => number) | undefined
}

/** The check, and the quarantine behind it. */
export interface Pinning extends Check, Omit<PinStore, 'note' | 'current' | 'adopt' | 'watch'> {
  /** Tells when something was approved or rejected, by this process or another. */
  watch(onChange: () => void): Disposable
}

/** Holds back or tells of definitions that are new or not what was approved. */
export function pinningCheck(options: PinningOptions): Pinning {
  const { mode = 'warn', kinds = ['tool', 'prompt'], onQuarantine = () => undefined } = options
  const store = openPinStore({ path: options.file, onProblem: options.onProblem, now: options.now })
  const pinned = new Set<Subject['kind']>(mode === 'off' ? [] : kinds)
  /** By key, the hash that was told last. Bounded by what is in the lists of the servers. */
  const notifiedHashes = new Map<string, string>()

  function stateOf(subject: Subject): State {
    if (!pinned.has(subject.kind)) return { is: 'approved' }
    const { definition } = subject
    if (definition === undefined) return { is: 'unknown' }
    const key = keyOf(subject)
    const entry = store.current().get(key)
    const hash = definitionHash(definition)
    if (entry?.approved?.hash === hash) return { is: 'approved' }
    if (entry?.rejected !== undefined) return { is: 'rejected' }
    const reason = entry?.approved === undefined ? 'new' : 'changed'
    const id = quarantineId(subject, hash)
    if (notifiedHashes.get(key) !== hash) {
      if (notifiedHashes.size >= maxReported) notifiedHashes.clear()
      notifiedHashes.set(key, hash)
      onQuarantine(subject, reason, id)
    }
    if (entry?.waiting?.hash !== hash) note(subject, hash, definition as JsonObject) // it came as JSON
    return { is: reason, id }
  }

  function note({ upstream, kind, name }: Subject, hash: string, definition: JsonObject): void {
    store.note({ upstream, kind, name }, { hash, at: new Date().toISOString(), definition })
  }

  function isQuarantined({ is }: State): boolean {
    return is === 'rejected' || (is !== 'approved' && mode === 'enforce')
  }

  return {
    name: 'pinning',
    shows: (_, subject) => !isQuarantined(stateOf(subject)),
    before({ subject }) {
      const state = stateOf(subject)
      return isQuarantined(state) ? rejection(subject, state) : undefined
    },
    share: (shared) => sharePins(store, shared),
    watch: store.watch,
    listQuarantine: store.listQuarantine,
    approve: store.approve,
    reject: store.reject,
    flush: store.flush,
  }
}

type State =
  | { readonly is: 'approved' | 'rejected' | 'unknown' }
  | { readonly is: 'new' | 'changed'; readonly id: string }

const maxReported = 20_000

function rejection({ kind, exposedName }: Subject, state: State): Rejection {
  const what = `the ${kind} ${JSON.stringify(exposedName.slice(0, 200))}`
  return { rejected: true, rule: `pinning: ${state.is}`, message: `${what} ${sentence(state)}` }
}

function sentence(state: State): string {
  switch (state.is) {
    case 'new':
      return `has not been approved yet. The operator of this gateway can approve it: parley gateway quarantine approve ${state.id}`
    case 'changed':
      return `is not what was approved: its server has changed it. The operator of this gateway can review and approve it: parley gateway quarantine approve ${state.id}`
    case 'rejected':
      return 'was reviewed and rejected by the operator of this gateway'
    case 'unknown':
      return 'is not in any list of its server, so it cannot have been approved'
    case 'approved':
      return 'is approved'
  }
}
