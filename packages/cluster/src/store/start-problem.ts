import { StoreUnavailable } from './cluster-store.ts'

/** One reason why a store cannot be opened, and what to do about it. */
export interface StartProblem {
  /** A pattern in the engine's message or code. */
  readonly sign: RegExp
  readonly fix: string
  /** True if it may be over by itself, so that it is worth trying again. */
  readonly canHeal?: boolean
}

/** Problems of any engine with an address. */
export const networkProblems: readonly StartProblem[] = [
  {
    sign: /ECONNREFUSED|ENOENT/,
    fix: 'nothing listens there: start it, or correct the address',
    canHeal: true,
  },
  {
    sign: /ENOTFOUND|EAI_AGAIN/,
    fix: 'the name of the host is not known here: correct it, or wait until it is',
    canHeal: true,
  },
  {
    sign: /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|certificate/,
    fix: 'its certificate is not trusted: pass `connection: { tls: { ca } }`, or `ssl` instead of `tls` for PostgreSQL',
  },
]

/**
 * The error of a start with place, cause and cure. It is `StoreUnavailable`, which is tried again, only where that can help:
 * a wrong password stays wrong.
 */
export function explainStart(
  error: unknown,
  storeName: string,
  problems: readonly StartProblem[],
): Error {
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in cause ? String(cause.code) : ''
  const reported = cause.message === '' ? code : cause.message
  const found = problems.find(({ sign }) => sign.test(`${code} ${reported}`))
  const message = `${storeName}: ${reported.replace(/\.$/, '')}${found ? `: ${found.fix}` : ''}`
  if (found === undefined || found.canHeal) return new StoreUnavailable(message, { cause })
  return new Error(message, { cause })
}
