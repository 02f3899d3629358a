import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLocalUsers, type LocalUsers } from '@parley/auth/server'
import { describe, expect, onTestFinished, test } from 'vitest'

import {
  ask,
  createBrowser,
  issuer,
  obtainToken,
  requestToken,
  signIn,
  startAuthServer,
  type Harness,
} from '../server/harness.ts'

/** Somebody got at a password, and has signed in with it: in a browser, and through a client. */
async function openStolen(): Promise<{
  readonly harness: Harness
  readonly users: LocalUsers
  readonly subject: string
  readonly thief: ReturnType<typeof createBrowser>
  renew(): Promise<unknown>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-stolen-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const users = createLocalUsers(join(folder, 'users.json'))
  const { subject } = await users.add('ada', 'correct horse')
  // Whether a password is right is tried elsewhere, and slow on purpose.
  const harness = await startAuthServer({ users: { ...users, verify: () => users.find(subject) } })
  const thief = createBrowser(harness)
  await signIn(thief, ask(issuer))
  let { body } = await obtainToken(harness)
  return {
    harness,
    users,
    subject,
    thief,
    async renew() {
      const renewal = { grant_type: 'refresh_token', client_id: 'app' }
      const token = String(body['refresh_token'])
      const answer = await requestToken(harness, { ...renewal, refresh_token: token })
      body = answer.body
      return answer.status === 200 ? 'renewed' : answer.body['error']
    },
  }
}

describe('a stolen password was used before somebody noticed', () => {
  test('a new password ends the thief’s browser and tokens, and signs its owner in [ASEC-01]', async () => {
    const { harness, users, thief, renew } = await openStolen()
    expect(await renew()).toBe('renewed')

    await users.add('ada', 'battery staple')
    const page = await thief.follow(await thief.get(ask(issuer).url))
    const owner = await obtainToken(harness)
    const renewed = await requestToken(harness, {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: String(owner.body['refresh_token']),
    })

    expect(await renew()).toBe('invalid_grant')
    expect(await page.response.text()).toContain('name="password"')
    expect([owner.status, renewed.status]).toEqual([200, 200])
  })

  test('somebody’s sign-ins can be ended without a new password, and nobody else’s [ASEC-01]', async () => {
    const { harness, subject, thief, renew } = await openStolen()

    await harness.server.endSignIns('somebody else')
    expect(await renew()).toBe('renewed')
    await harness.server.endSignIns(subject)
    const silent = await thief.get(ask(issuer, { prompt: 'none' }).url)
    const owner = await obtainToken(harness)

    expect(await renew()).toBe('invalid_grant')
    expect(silent.headers.get('location')).toContain('error=login_required')
    expect(owner.status).toBe(200)
    expect(harness.events.findLast(({ type }) => type === 'sign_out')?.subject).toBe(subject)
  })
})
