import { setTimeout as sleep } from 'node:timers/promises'

import { errorMessage } from '@parley/mcp/json'
import { anySignal } from '@parley/mcp/signals'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** What to show while somebody agrees in their browser. */
export interface DeviceCode {
  readonly userCode: string
  readonly url: string
}

interface DeviceFlow {
  readonly clientId: string
  /** Where GitHub is. */
  readonly baseUrl: string
  readonly show: (code: DeviceCode) => void
}

const maxSeconds = 900

/** Lets somebody sign in to GitHub in a browser, which may be on another machine (RFC 8628). Resolves with an access token. */
export async function signInByDevice(
  { clientId, baseUrl, show }: DeviceFlow,
  { signal }: Io,
): Promise<string> {
  const base = baseUrl.replace(/\/$/, '')
  const begun = await post(
    `${base}/login/device/code`,
    { client_id: clientId, scope: 'read:org' },
    signal,
  )
  const { device_code: deviceCode, user_code: userCode, verification_uri: url } = begun
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || !isWebUrl(url)) {
    throw new CliError('unreachable', `${base} does not offer a sign-in for devices`)
  }
  show({ userCode, url })
  let pause = secondsOf(begun['interval'], 5)
  const deadline =
    Date.now() + Math.min(secondsOf(begun['expires_in'], maxSeconds), maxSeconds) * 1000
  while (Date.now() < deadline) {
    await sleep(pause * 1000, undefined, { signal })
    const answer = await post(
      `${base}/login/oauth/access_token`,
      {
        client_id: clientId,
        device_code: deviceCode,
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      },
      signal,
    )
    const { access_token: token, error } = answer
    if (typeof token === 'string') return token
    if (error === 'slow_down') pause = secondsOf(answer['interval'], pause + 5)
    else if (error === 'access_denied')
      throw new CliError('auth_required', 'the sign-in was refused')
    else if (error === 'expired_token') break
    else if (error !== 'authorization_pending') {
      throw new CliError('auth_required', `GitHub answers with ${JSON.stringify(error)}`)
    }
  }
  throw new CliError('auth_required', 'the sign-in was not confirmed in time', {
    hint: 'Run the command again.',
  })
}

async function post(
  url: string,
  form: { readonly [name: string]: string },
  signal: AbortSignal,
): Promise<{ readonly [field: string]: unknown }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams(form),
      signal: anySignal(signal, AbortSignal.timeout(30_000)),
      redirect: 'error',
    })
    const value: unknown = await response.json()
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (cause) {
    if (signal.aborted) throw cause
    const why = errorMessage(cause)
    throw new CliError('unreachable', `${new URL(url).host} cannot be asked: ${why}`, { cause })
  }
}

function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value)
}

function secondsOf(value: unknown, preset: number): number {
  return typeof value === 'number' && value >= 0 ? Math.min(value, maxSeconds) : preset
}
