import type { IssuerSettings } from '@parley/auth/client'
import { describe, expect, test } from 'vitest'

import { findIssuer } from '../../src/client/issuer/issuer-metadata.ts'
import { issuerAtServer } from '../../src/client/issuer/known-issuers.ts'
import { createAuthHttp } from '../../src/client/options.ts'
import { metadataUrls } from '../../src/shared/url-rules.ts'
import { openLoggedServer, type Answer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'

const wire = createAuthHttp(
  new URL('http://127.0.0.1/mcp'),
  new AbortController().signal,
  undefined,
  'any',
)

function metadata(issuer: string, more: object = {}): Answer {
  return {
    body: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      ...more,
    },
  }
}

async function serve(answers: (origin: string) => Record<string, Answer>) {
  const server = await openLoggedServer(
    ({ path }) => answers(server.origin)[path] ?? { status: 404 },
  )
  return server
}

describe('the metadata of an issuer', () => {
  test('with a path is looked for at four places in order, the last of them unwritten [ADISC-05] [AINH-05] [N11-AUTH-04]', async () => {
    expect(metadataUrls(new URL('https://h/tenant1')).map(String)).toEqual([
      'https://h/.well-known/oauth-authorization-server/tenant1',
      'https://h/.well-known/openid-configuration/tenant1',
      'https://h/tenant1/.well-known/openid-configuration',
      'https://h/tenant1/.well-known/oauth-authorization-server',
    ])
    await using server = await serve((at) => ({
      '/tenant1/.well-known/openid-configuration': metadata(`${at}/tenant1`),
    }))

    const found = await findIssuer(`${server.origin}/tenant1`, {}, wire)

    expect(found.id).toBe(`${server.origin}/tenant1`)
    expect(server.paths()).toHaveLength(3)
  })

  test('without a path at two [N11-AUTH-04]', async () => {
    await using server = await serve((at) => ({
      '/.well-known/openid-configuration': metadata(at),
    }))

    await findIssuer(server.origin, {}, wire)

    expect(server.paths()).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/openid-configuration',
    ])
  })

  test.each<[string, (origin: string) => string]>([
    ['another issuer', () => 'https://attacker.example'],
    ['a slash more', (at) => `${at}/tenant/`],
    ['another case', (at) => `${at}/Tenant`],
    ['nothing', () => ''],
  ])('that names %s is of no use [AINH-06] [N07-AUTH-01]', async (_, said) => {
    await using server = await serve((at) => ({
      '/.well-known/oauth-authorization-server/tenant': metadata(said(at)),
    }))

    const error = await authErrorOf(findIssuer(`${server.origin}/tenant`, {}, wire))

    expect(error).toMatchObject({ code: 'issuer_mismatch', step: 'issuer' })
  })

  test('of a bare origin may or may not end in a slash', async () => {
    await using server = await serve((at) => ({
      '/.well-known/oauth-authorization-server': metadata(`${at}/`),
    }))

    expect((await findIssuer(server.origin, {}, wire)).id).toBe(`${server.origin}/`)
    expect((await findIssuer(`${server.origin}/`, {}, wire)).id).toBe(`${server.origin}/`)
  })

  test('of another issuer at one place does not hide the right one at the next', async () => {
    await using server = await serve((at) => ({
      '/.well-known/oauth-authorization-server/a': metadata(at),
      '/.well-known/openid-configuration/a': metadata(`${at}/a`),
    }))

    expect((await findIssuer(`${server.origin}/a`, {}, wire)).id).toBe(`${server.origin}/a`)
  })

  test('may write a placeholder where the settings say so', async () => {
    const settings: IssuerSettings = { issuerTemplate: 'https://login.example/{tenantid}/v2.0' }
    await using server = await serve(() => ({
      '/.well-known/oauth-authorization-server/common': metadata(
        'https://login.example/{tenantid}/v2.0',
      ),
    }))
    const asked = `${server.origin}/common`

    expect((await findIssuer(asked, settings, wire)).id).toBe(asked)
    expect((await authErrorOf(findIssuer(asked, {}, wire))).code).toBe('issuer_mismatch')
  })

  test.each([
    ['authorization_endpoint', 'http://a.example/authorize'],
    ['token_endpoint', 'http://a.example/token'],
    ['registration_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'file:///etc/passwd'],
    ['token_endpoint', 'https://user:password@a.example/token'],
    ['token_endpoint', 7],
  ])('with the %s %s is not used [ASEC-07] [ASEC-08]', async (name, value) => {
    await using server = await serve((at) => ({
      '/.well-known/oauth-authorization-server': metadata(at, { [name]: value }),
    }))

    expect((await authErrorOf(findIssuer(server.origin, {}, wire))).code).toBe('metadata_invalid')
  })

  test.each([
    ['http://as.example', 'http://127.0.0.1/mcp'],
    ['http://127.0.0.1:1', 'https://mcp.example.com/mcp'],
    ['as.example', 'https://mcp.example.com/mcp'],
    ['file:///as', 'https://mcp.example.com/mcp'],
  ])('is not asked of %s by the server %s [ASEC-08]', async (issuer, server) => {
    const own = createAuthHttp(new URL(server), new AbortController().signal, undefined, 'any')

    expect((await authErrorOf(findIssuer(issuer, {}, own))).code).toBe('address_refused')
  })

  test('that is nowhere is told with all places', async () => {
    await using server = await serve(() => ({}))

    const error = await authErrorOf(findIssuer(`${server.origin}/a`, {}, wire))

    expect(error.code).toBe('metadata_not_found')
    expect(error.message.match(/status 404/g)).toHaveLength(4)
  })

  test('of somebody who cannot be reached is not guessed', async () => {
    const error = await authErrorOf(findIssuer('http://127.0.0.1:1', {}, wire))

    expect(error.code).toBe('unreachable')
  })
})

describe('a server of 2025-03-26 that signs clients in itself', () => {
  test('has metadata at the root of its origin, asked for with the revision [R0326A-04] [R0326A-08] [R0326A-09] [R0326A-12]', async () => {
    await using server = await serve((at) => ({
      '/.well-known/oauth-authorization-server': metadata(at),
    }))

    const found = await issuerAtServer(new URL(`${server.origin}/v1/mcp`), {}, wire)

    expect(found.server.token_endpoint).toBe(`${server.origin}/token`)
    expect(server.seen[0]).toMatchObject({
      path: '/.well-known/oauth-authorization-server',
      headers: { 'mcp-protocol-version': '2025-03-26' },
    })
  })

  test('or three paths [R0326A-11] [XREV-14]', async () => {
    await using server = await serve(() => ({}))
    const { origin } = server

    const found = await issuerAtServer(new URL(`${origin}/v1/mcp`), {}, wire)

    expect(found.server).toEqual({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      code_challenge_methods_supported: ['S256'],
    })
  })

  test('whose metadata names somebody else is not taken for one without', async () => {
    await using server = await serve(() => ({
      '/.well-known/oauth-authorization-server': metadata('https://x.example'),
    }))

    const error = await authErrorOf(issuerAtServer(new URL(server.origin), {}, wire))

    expect(error.code).toBe('issuer_mismatch')
  })
})
