import { type AuthServerStore, createMemoryAuthServerStore } from '@parley/auth/server'
import { describe, expect, test, vi } from 'vitest'

import { ask, createBrowser, formTokenOf, obtainToken, startAuthServer } from './harness.ts'

describe('settings that are not safe', () => {
  test.each([
    ['http://login.example.com', 'without https'],
    ['https://login.example.com?x=1', 'query'],
    ['https://login.example.com/#x', 'fragment'],
    ['https://user@login.example.com', 'password'],
    ['https://LOGIN.example.com', 'written'],
    ['https://login.example.com:443', 'written'],
    ['ftp://login.example.com', 'https'],
    ['login.example.com', 'URL'],
  ])('refuse the issuer %s', async (issuer, why) => {
    await expect(startAuthServer({ issuer })).rejects.toMatchObject({
      code: 'address_refused',
      message: expect.stringContaining(why) as string, // a matcher
    })
  })

  test.each<[string, Record<string, unknown>]>([
    ['resources is missing or empty', { resources: undefined }],
    ['resources is missing or empty', { resources: [] }],
    ['the resource notes is not a URL', { resources: ['notes'] }],
    ['there are no users', { users: undefined }],
    ['users needs a function verify', { users: { ada: 'correct horse' } }],
    [
      'store needs the functions get, set, add, delete',
      { store: { ...createMemoryAuthServerStore(), add: undefined } },
    ],
    ['scopes must be an object', { scopes: ['notes:read'] }],
    ['"notes read" is not a valid scope', { scopes: { 'notes read': 'read your notes' } }],
    ['accessTokenSeconds must be more than 0', { accessTokenSeconds: 0 }],
    ['keyLifeMs must be more than 0', { keyLifeMs: Number.NaN }],
  ])('say what is wrong: %s', async (why, wrong) => {
    await expect(startAuthServer(wrong)).rejects.toMatchObject({
      code: 'address_refused',
      message: expect.stringContaining(why) as string, // a matcher
    })
  })

  test('refuse a resource without https', async () => {
    const resources = ['http://notes.example.com/mcp']

    await expect(startAuthServer({ resources })).rejects.toMatchObject({ code: 'address_refused' })
  })

  test('are said loudly when they are allowed', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)

    await startAuthServer({ issuer: 'http://login.example.com', allowInsecure: true })

    expect(warn).toHaveBeenCalledWith(expect.stringContaining('NOT SAFE'), 'AuthWarning')
    warn.mockRestore()
  })

  test('are fine on this machine', async () => {
    const harness = await startAuthServer({
      issuer: 'http://localhost:4000',
      resources: ['http://localhost:3000/mcp'],
    })

    const { status } = await obtainToken(harness, { resource: 'http://localhost:3000/mcp' })

    expect(status).toBe(200)
  })
})

test('the log holds no secrets', async () => {
  const harness = await startAuthServer()

  const { body, code, form } = await obtainToken(harness)

  const log = JSON.stringify(harness.events)
  for (const value of [
    body['access_token'],
    body['refresh_token'],
    code,
    form.code_verifier,
    'correct horse',
  ]) {
    expect(log).not.toContain(String(value))
  }
  expect(harness.events.map(({ type }) => type)).toEqual([
    'sign_in',
    'consent_given',
    'token_issued',
  ])
})

test('a listener of the log that fails changes nothing', async () => {
  const harness = await startAuthServer({
    audit() {
      throw new Error('the disk is full')
    },
  })

  expect((await obtainToken(harness)).status).toBe(200)
})

describe('a store that fails', () => {
  function failing(failed: string): AuthServerStore {
    const store = createMemoryAuthServerStore()
    return {
      ...store,
      async set(kind, id, value, ttlMs) {
        if (kind === failed) throw new Error('disk-canary')
        await store.set(kind, id, value, ttlMs)
      },
    }
  }

  test('is told to the log and not to the client', async () => {
    const harness = await startAuthServer({ store: failing('RefreshToken') })

    const { status, body } = await obtainToken(harness)

    expect([status, body['error']]).toEqual([500, 'server_error'])
    expect(JSON.stringify(body)).not.toContain('canary')
    expect(harness.events.at(-1)).toMatchObject({ type: 'failure', reason: 'disk-canary' })
  })

  test('is told to the log and not to the person', async () => {
    const harness = await startAuthServer({ store: failing('Account') })
    const browser = createBrowser(harness)
    const { response, url } = await browser.follow(await browser.get(ask(harness.issuer).url))
    const token = formTokenOf(await response.text())

    const form = { token, name: 'ada', password: 'correct horse', answer: 'sign-in' }
    const answer = await browser.post(url, form)

    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('canary')
    expect(harness.events.at(-1)).toMatchObject({ type: 'failure', reason: 'disk-canary' })
  })

  test('is told to a person by a page', async () => {
    const harness = await startAuthServer({ store: failing('Account') })
    const browser = createBrowser(harness)
    const { response, url } = await browser.follow(await browser.get(ask(harness.issuer).url))
    const token = formTokenOf(await response.text())

    const form = { token, name: 'ada', password: 'correct horse', answer: 'sign-in' }
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const answer = await browser.post(url, form, { accept })

    expect(answer.status).toBe(500)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(await answer.text()).toContain('Something went wrong here.')
  })

  test('leaves a token good that cannot be noted', async () => {
    const harness = await startAuthServer({ store: failing('AccessToken') })

    const { status } = await obtainToken(harness)

    expect(status).toBe(200)
    expect(harness.events.map(({ type }) => type)).toContain('failure')
  })
})
