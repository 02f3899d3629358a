import { describe, expect, test, vi } from 'vitest'

import { obtainToken, startAuthServer } from './harness.ts'

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
