import { appContentPolicy, readAppCsp } from '@parley/mcp/apps'
import { describe, expect, test } from 'vitest'

function policyOf(declared: unknown): { readonly [directive: string]: string } {
  const policy = appContentPolicy(readAppCsp(declared).allowed)
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )
}

test('without a declaration nothing outside can be reached', () => {
  expect(policyOf(undefined)).toEqual({
    'default-src': "'none'",
    'script-src': "'unsafe-inline'",
    'style-src': "'unsafe-inline'",
    'img-src': 'data: blob:',
    'media-src': 'data: blob:',
    'font-src': 'data:',
    'connect-src': "'none'",
    'frame-src': "'none'",
    'base-uri': "'none'",
    'worker-src': "'none'",
    'object-src': "'none'",
    'form-action': "'none'",
    webrtc: "'block'",
  })
})

test('each list opens what it is for, and nothing else', () => {
  const policy = policyOf({
    connectDomains: ['https://api.example.com', 'wss://live.example.com:8443'],
    resourceDomains: ['https://*.cdn.example.com'],
    frameDomains: ['https://video.example.com'],
    baseUriDomains: ['https://base.example.com'],
  })

  expect(policy['connect-src']).toBe('https://api.example.com wss://live.example.com:8443')
  expect(policy['script-src']).toBe("'unsafe-inline' https://*.cdn.example.com")
  expect(policy['img-src']).toBe('data: blob: https://*.cdn.example.com')
  expect(policy['frame-src']).toBe('https://video.example.com')
  expect(policy['base-uri']).toBe('https://base.example.com')
  expect(policy['form-action']).toBe("'none'")
  expect(policy['default-src']).toBe("'none'")
})

describe('a declaration cannot widen the policy', () => {
  test.each([
    '*',
    'https:',
    'data:',
    "'unsafe-eval'",
    "'self'",
    'https://*',
    'https://*.com',
    'https://a.com; script-src *',
    'https://a.com script-src',
    'https://a.com,https://b.com',
    'https://a.com/path',
    'https://a.com?x',
    'https://user@a.com',
    'https://a.com\n',
    'http://a.com',
    'ws://a.com',
    'javascript:alert(1)',
    'https://[::1]',
    'https://a.com:*',
    '',
    7,
    null,
    { toString: () => 'https://a.com' },
    'https://' + 'a'.repeat(400),
  ])('%j is refused', (domain) => {
    const { allowed, rejected } = readAppCsp({
      connectDomains: [domain],
      resourceDomains: [domain],
    })

    expect(allowed.connectDomains).toEqual([])
    expect(allowed.resourceDomains).toEqual([])
    expect(rejected).toHaveLength(2)
    expect(rejected[0]?.why).toBeTruthy()
  })

  test('nor with the address of the host, whatever the scheme', () => {
    const own = ['http://127.0.0.1:6274', 'http://127.0.0.1:7000']
    const declared = ['http://127.0.0.1:6274', 'ws://127.0.0.1:6274', 'http://127.0.0.1:9']

    const { allowed, rejected } = readAppCsp({ connectDomains: declared }, own)

    expect(allowed.connectDomains).toEqual(['http://127.0.0.1:9'])
    expect(rejected.map(({ why }) => why)).toEqual([
      'it is the host itself',
      'it is the host itself',
    ])
  })

  test('nor with more than can be read', () => {
    const many = Array.from({ length: 500 }, (_, index) => `https://n${index}.example.com`)

    const { allowed, rejected } = readAppCsp({
      connectDomains: many,
      frameDomains: 'https://a.com',
    })

    expect(allowed.connectDomains).toHaveLength(50)
    expect(allowed.frameDomains).toEqual([])
    expect(rejected.length).toBeLessThanOrEqual(51)
  })
})
