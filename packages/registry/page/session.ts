/** Who looks at the page. A token is kept in this tab alone, and goes to this registry alone. */

import { listOf, recordOf, textOf } from '@parley/page/json'
import { create } from 'zustand'

/** A holder of a token, or nobody. */
export interface Session {
  readonly token: string | undefined
  /** Names that may be moderated: exact, or beginnings followed by `*`. */
  readonly moderates: readonly string[]
}

const storageKey = 'parley-registry-session'
const nobody: Session = { token: undefined, moderates: [] }

/** Who looks now. */
export const useSession = create<Session>(() => readStored())

/** Whether the dialog for signing in is open. */
export const useSignIn = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

/** Opens the dialog for signing in. */
export function openSignIn(): void {
  useSignIn.setState({ isOpen: true })
}

/** From now on requests carry this token. */
export function enter(session: Session): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(session))
  } catch {
    // Nothing can be kept here: it lasts until the page is loaded anew.
  }
  useSession.setState(session, true)
}

/** Forgets the token. */
export function leave(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Nothing was kept.
  }
  useSession.setState(nobody, true)
}

/** Whether somebody who moderates these names decides about this one. */
export function mayModerate({ moderates }: Session, name: string): boolean {
  return moderates.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  )
}

/** Names of an answer of `x/session` that may be moderated. */
export function readModerated(value: unknown): readonly string[] {
  return listOf(recordOf(value)['permissions']).flatMap((item) => {
    const { action, resource } = recordOf(item)
    return action === 'moderate' ? (textOf(resource) ?? []) : []
  })
}

function readStored(): Session {
  try {
    const { token, moderates } = recordOf(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'))
    const stored = textOf(token)
    if (stored === undefined) return nobody
    return { token: stored, moderates: listOf(moderates).flatMap((item) => textOf(item) ?? []) }
  } catch {
    return nobody
  }
}
