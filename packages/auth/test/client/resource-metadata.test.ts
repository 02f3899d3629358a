import { describe, expect, test } from 'vitest'

import { findResourceMetadata, wellKnownUrls } from '../../src/client/issuer/resource-metadata.ts'
import { createAuthHttp } from '../../src/client/options.ts'
import { canonicalResource, isResourceOf } from '../../src/client/server-url.ts'
import { parseChallenges } from '../../src/shared/challenge.ts'
import { openLoggedServer, type Answer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'

const { signal } = new AbortController()

async function look(
  answers: (origin: string) => Record<string, Answer>,
  challenge?: (origin: string) => string,
  allowed: readonly string[] = [],
) {
  await using server = await openLoggedServer(
    ({ path }) => answers(server.origin)[path] ?? { status: 404 },
  )
  const url = new URL(`${server.origin}/api/mcp`)
  const [found] = parseChallenges(challenge?.(server.origin))
  const wire = createAuthHttp(url, signal, undefined, 'any')
  const metadata = findResourceMetadata(url, found, wire, allowed)
  const error = await metadata.then(
    () => undefined,
    () => authErrorOf(metadata),
  )
  const result = error === undefined ? await metadata : undefined
  return { metadata: result, error, paths: server.paths(), origin: server.origin }
}

function about(resource: string): Answer {
  return {
    body: { resource, authorization_servers: ['https://a.example'], scopes_supported: ['x'] },
  }
}

const below = '/.well-known/oauth-protected-resource/api/mcp'
const root = '/.well-known/oauth-protected-resource'

describe('what a server says about itself', () => {
  test('is where its challenge says [ADISC-04] [N11-AUTH-02]', async () => {
    const { metadata, paths, origin } = await look(
      (at) => ({ '/custom': about(`${at}/api/mcp`) }),
      (at) => `Bearer resource_metadata="${at}/custom"`,
    )

    expect(metadata).toMatchObject({ issuers: ['https://a.example'], scopes: ['x'] })
    expect(metadata?.resource).toBe(`${origin}/api/mcp`)
    expect(paths).toEqual(['GET /custom'])
  })

  test('else below its path, else at the root [AINH-01] [N11-AUTH-02]', async () => {
    const first = await look((at) => ({ [below]: about(`${at}/api/mcp`), [root]: about(at) }))
    const second = await look((at) => ({ [root]: about(at) }))
    const third = await look(
      (at) => ({ [below]: about(`${at}/api/mcp`) }),
      () => 'Bearer realm="x"',
    )

    expect(first.paths).toEqual([`GET ${below}`])
    expect(second.paths).toEqual([`GET ${below}`, `GET ${root}`])
    expect(second.metadata?.resource).toBe(second.origin)
    expect(third.paths).toEqual([`GET ${below}`])
    expect(wellKnownUrls(new URL('https://h/mcp')).map(String)).toEqual([
      'https://h/.well-known/oauth-protected-resource/mcp',
      'https://h/.well-known/oauth-protected-resource',
    ])
    expect(wellKnownUrls(new URL('https://h')).map(String)).toHaveLength(1)
  })

  test.each<[string, Answer]>([
    ['502', { status: 502 }],
    ['no JSON', { body: 'hello' }],
    ['a list', { body: [] }],
    ['too much', { body: { resource: 'x'.repeat(300_000) } }],
  ])('%s at one place leaves the next', async (_, answer) => {
    const { metadata, paths } = await look((at) => ({ [below]: answer, [root]: about(at) }))

    expect(metadata).toBeDefined()
    expect(paths).toEqual([`GET ${below}`, `GET ${root}`])
  })

  test.each([500, 503, 429])(
    'status %i at one place is no proof that there is nothing',
    async (status) => {
      const { error } = await look((at) => ({ [below]: { status }, [root]: about(at) }))

      expect(error?.code).toBe('unreachable')
    },
  )

  test('may be nothing at all, as in 2025-03-26 [R0326A-24]', async () => {
    expect((await look(() => ({}))).metadata).toBeUndefined()
  })

  test.each([
    ['another origin', () => 'https://other.example/api/mcp'],
    ['another path', (at: string) => `${at}/api/other`],
    ['a path that only begins alike', (at: string) => `${at}/api/mc`],
    ['a fragment', (at: string) => `${at}/api/mcp#x`],
    ['no URL', () => 'api'],
  ])('is dropped if it is about %s [AINH-03] [AINH-07]', async (_, resource) => {
    const { error } = await look((at) => ({ [below]: about(resource(at)) }))

    expect(error).toMatchObject({ code: 'resource_mismatch', step: 'resource' })
  })

  test('names somebody who signs clients in [ADISC-02]', async () => {
    const { error } = await look((at) => ({ [below]: { body: { resource: at } } }))

    expect(error?.code).toBe('metadata_invalid')
  })

  test('is not asked of another origin, unless that is allowed', async () => {
    await using other = await openLoggedServer(() => about('x'))
    const challenge = () => `Bearer resource_metadata="${other.origin}/prm"`

    const rejected = await look(() => ({}), challenge)
    expect(rejected.error).toMatchObject({ code: 'address_refused' })
    expect(rejected.error?.hint).toContain('metadataOrigins')
    expect(other.seen).toEqual([])

    const own = await look((at) => ({ [root]: about(at) }), challenge)
    expect(own.metadata?.resource).toBe(own.origin)
    expect(other.seen).toEqual([])

    const allowed = await look(() => ({}), challenge, [other.origin])
    expect(allowed.error?.code).toBe('resource_mismatch')
    expect(other.paths()).toEqual(['GET /prm'])
  })

  test('is not looked for elsewhere by a redirect', async () => {
    await using other = await openLoggedServer(() => about('x'))
    const { error } = await look(() => ({
      [below]: { status: 302, headers: { location: other.origin } },
    }))

    expect(error?.code).toBe('address_refused')
    expect(other.seen).toEqual([])
  })
})

describe('the identifier of a server', () => {
  test.each([
    ['https://MCP.Example.com/Mcp', 'https://mcp.example.com/Mcp'],
    ['HTTPS://mcp.example.com', 'https://mcp.example.com'],
    ['https://mcp.example.com/', 'https://mcp.example.com'],
    ['https://mcp.example.com:8443/mcp', 'https://mcp.example.com:8443/mcp'],
    ['https://mcp.example.com/mcp?x=1#frag', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/server/mcp', 'https://mcp.example.com/server/mcp'],
  ])('of %s is %s [ARES-04] [ARES-06] [ARES-07] [ARES-08]', (url, resource) => {
    expect(canonicalResource(new URL(url))).toBe(resource)
  })

  test.each([
    ['https://h/a', true],
    ['https://h/a/', true],
    ['https://h/', true],
    ['https://h', true],
    ['https://H/a/b', true],
    ['https://h/a/b/c', false],
    ['https://h:444/a', false],
    ['http://h/a', false],
    ['https://u@h/a', false],
    ['https://h/a?x=1', false],
  ])('%s holds https://h/a/b: %s', (resource, isCovered) => {
    expect(isResourceOf(resource, new URL('https://h/a/b'))).toBe(isCovered)
  })
})
