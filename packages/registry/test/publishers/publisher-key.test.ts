import { readPublisherKey } from '@parley/registry/client'
import { expect, it } from 'vitest'

import { isSigned, readKeyRecords } from '../../src/publishers/signed-time.ts'

it.each([
  ['Ed25519', '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'],
  ['P-384', '0b'.repeat(48)],
])('signs with %s what the registry verifies', (_, hex) => {
  const key = readPublisherKey(`${hex}\n`)
  const keys = readKeyRecords([key.record])
  expect(keys).toHaveLength(1)
  expect(isSigned('2026-05-01T12:00:00Z', key.sign('2026-05-01T12:00:00Z'), keys)).toBe(true)
  expect(isSigned('2026-05-01T12:00:01Z', key.sign('2026-05-01T12:00:00Z'), keys)).toBe(false)
})

it('has the public key of the published vector (RFC 8032)', () => {
  const key = readPublisherKey('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
  expect(Buffer.from(key.publicKey, 'base64').toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  )
  expect(key.sign('')).toMatch(/^e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155/)
})

it.each(['', 'xyz', 'ab'.repeat(31)])('refuses the key %j', (hex) => {
  expect(() => readPublisherKey(hex)).toThrow('64 hexadecimal digits')
})
