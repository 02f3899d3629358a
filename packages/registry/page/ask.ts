/** Asking the registry that this page belongs to. It reads only, and sends nothing about who asks. */

import type { Problem } from '@parley/page/channel'
import { recordOf, textOf } from '@parley/page/json'
import { useCallback, useEffect, useState } from 'react'

/** The registry said no, or does not answer. */
class AskError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'AskError'
    this.problem = problem
  }
}

/** One answer, by a path below `/v0.1/`. */
async function ask(path: string, signal: AbortSignal): Promise<unknown> {
  const url = new URL(`v0.1/${path}`, document.baseURI)
  const response = await fetch(url, { signal, credentials: 'omit' }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new AskError({
      code: 'unreachable',
      message: 'The registry does not answer.',
      hint: 'Check your connection, then try again.',
    })
  })
  const value: unknown = await response.json().catch(() => undefined)
  if (response.ok && value !== undefined) return value
  throw refusal(response, recordOf(value))
}

function refusal(response: Response, body: { readonly [name: string]: unknown }): AskError {
  const message = textOf(body['detail']) ?? textOf(body['error'])
  const hint =
    response.status === 401 || response.status === 403
      ? 'This registry answers known callers only. Ask it with a token: PARLEY_REGISTRY_TOKEN=… parley search'
      : undefined
  return new AskError({
    code: String(response.status),
    message: message ?? `The registry answered with status ${response.status}.`,
    hint,
  })
}

/** An answer, as far as it is there. `value` stays while the next one is fetched. */
export interface Asked<T> {
  readonly value: T | undefined
  readonly problem: Problem | undefined
  readonly isLoading: boolean
  readonly retry: () => void
}

/** Asks, and asks anew when the path is another; undefined asks nothing. */
export function useAsked<T>(path: string | undefined, read: (value: unknown) => T): Asked<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ path?: string; value?: T; problem?: Problem }>({})
  useEffect(() => {
    if (path === undefined) return undefined
    const gone = new AbortController()
    ask(path, gone.signal).then(
      (value) => {
        if (!gone.signal.aborted) setState({ path, value: read(value) })
      },
      (error: unknown) => {
        if (gone.signal.aborted) return
        setState({ path, problem: problemOf(error) })
      },
    )
    return () => gone.abort()
  }, [path, read, round])
  const retry = useCallback(() => {
    setState({})
    setRound((count) => count + 1)
  }, [])
  return {
    value: state.value,
    problem: state.path === path ? state.problem : undefined,
    isLoading: path !== undefined && state.path !== path,
    retry,
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof AskError) return error.problem
  return { code: 'page', message: error instanceof Error ? error.message : String(error) }
}
