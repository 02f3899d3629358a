import { AuthError } from '../../shared/auth-error.ts'

/** Remembers what was asked for in vain, so that no server can keep a person signing in. */
export interface StepUps {
  /** Throws when these scopes were asked for twice already, by one request or by several, or too much was in vain. */
  count(scopes: readonly string[], attempt: number, resource: string): void
  /** Notes that the scopes of a sign-in were still refused. */
  noteInVain(): void
  /** Whether so much was in vain lately that nobody is asked any more, whatever is wanted. */
  isInVain(): boolean
}

const maxAttempts = 2
/** After this long somebody may have been given more rights. */
const forgetAfterMs = 600_000

/** Forgets after ten minutes. */
export function createStepUps(now: () => number = Date.now): StepUps {
  const attempts = new Map<string, { count: number; readonly since: number }>()
  let inVain: readonly number[] = []

  function isInVain(): boolean {
    inVain = inVain.filter((at) => now() - at <= forgetAfterMs)
    return inVain.length >= maxAttempts
  }

  return {
    isInVain,
    noteInVain() {
      inVain = [...inVain, now()].slice(-maxAttempts)
    },
    count(scopes, attempt, resource) {
      const name = scopes.toSorted().join(' ')
      for (const [key, { since }] of attempts)
        if (now() - since > forgetAfterMs) attempts.delete(key)
      const entry = attempts.get(name) ?? { count: 0, since: now() }
      const isEnough = attempt > maxAttempts || entry.count >= maxAttempts || isInVain()
      if (isEnough) throw insufficient(scopes, resource)
      entry.count += 1
      attempts.set(name, entry)
    },
  }
}

function insufficient(scopes: readonly string[], resource: string): AuthError {
  return new AuthError(
    'insufficient_scope',
    `${resource} requires ${scopes.join(' ').slice(0, 300)}, which signing in again did not grant`,
    { step: 'authorize', resource, hint: 'Ask the administrator of that server for access.' },
  )
}
