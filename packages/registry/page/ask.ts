/** Asking the registry that this page belongs to. Requests carry the token of whoever signed in, and nothing else about them. */

import { errorMessage } from '@parley/mcp/json'
import type { Problem } from '@parley/page/channel'
import { recordOf, textOf } from '@parley/page/json'
import { useCallback, useEffect, useState } from 'react'

import { useSession } from './session.ts'

/** The registry said no, or does not answer. */
export class AskError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'AskError'
    this.problem = problem
  }
}

/** How one request differs from the others. */
export interface InputRequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Sent as JSON by `POST`. */
  readonly body?: object | undefined
  /** @defaultValue the one of whoever signed in */
  readonly token?: string | undefined
}

/** One answer, by a path below `/v0.1/`. */
export async function ask(path: string, options: InputRequestOptions = {}): Promise<unknown> {
  const { signal, body, token = useSession.getState().token } = options
  const url = new URL(`v0.1/${path}`, document.baseURI)
  const response = await fetch(url, {
    credentials: 'omit',
    // Who decides something wants to see that it counts.
    cache: token === undefined ? 'default' : 'no-cache',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(signal && { signal }),
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new AskError({
      code: 'unreachable',
      message: 'The registry does not answer.',
      hint: 'Check your connection, then try again.',
    })
  })
  const value: unknown = await response.json().catch(() => undefined)
  if (response.ok && value !== undefined) return value
  throw rejection(response, recordOf(value), token !== undefined)
}

function rejection(
  response: Response,
  body: { readonly [name: string]: unknown },
  hasToken: boolean,
): AskError {
  const message = textOf(body['detail']) ?? textOf(body['error'])
  const hint =
    response.status !== 401
      ? undefined
      : hasToken
        ? 'Your sign-in may have ended. Sign in again, at the top of the page.'
        : 'This registry answers known callers only. Sign in with a token, at the top of the page.'
  return new AskError({
    code: String(response.status),
    message: message ?? `The registry answered with status ${response.status}.`,
    hint,
  })
}

/** An answer, as far as it is there. `value` stays while the next one is fetched. */
export interface PreparedRequest<T> {
  readonly value: T | undefined
  readonly problem: Problem | undefined
  readonly isLoading: boolean
  readonly retry: () => void
}

/** Asks, and asks anew when the path or whoever looks is another; undefined asks nothing. */
export function useAsked<T>(
  path: string | undefined,
  read: (value: unknown) => T,
): PreparedRequest<T> {
  const token = useSession((session) => session.token)
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ path?: string; value?: T; problem?: Problem }>({})
  useEffect(() => {
    if (path === undefined) return undefined
    const aborted = new AbortController()
    ask(path, { signal: aborted.signal, token }).then(
      (value) => {
        if (!aborted.signal.aborted) setState({ path, value: read(value) })
      },
      (error: unknown) => {
        if (aborted.signal.aborted) return
        setState({ path, problem: askProblemOf(error) })
      },
    )
    return () => aborted.abort()
  }, [path, read, round, token])
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

/** What went wrong with a request. */
export function askProblemOf(error: unknown): Problem {
  if (error instanceof AskError) return error.problem
  return { code: 'page', message: errorMessage(error) }
}
