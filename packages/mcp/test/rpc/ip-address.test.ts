import { BlockList, isIP } from 'node:net'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  addressBlock,
  classifyAddress,
  parseAddressRange,
  isLoopbackHost,
} from '../../src/rpc/address/ip-address.ts'
import { createTrustedProxies } from '../../src/transport/http/admission/trusted-proxies.ts'

describe('judging addresses', () => {
  test.each([
    ['1.1.1.1', 'public'],
    ['192.0.1.1', 'public'],
    ['172.32.0.1', 'public'],
    ['223.255.255.255', 'public'],
    ['2606:4700::1111', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.0.9', 'loopback'],
    ['::1', 'loopback'],
    ['[::1]', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['169.254.169.254', 'private'],
    ['100.64.0.1', 'private'],
    ['0.0.0.0', 'unspecified'],
    ['255.255.255.255', 'private'],
    ['224.0.0.1', 'private'],
    ['198.19.1.1', 'private'],
    ['::', 'unspecified'],
    ['fe80::1%eth0', 'private'],
    ['fec0::1', 'private'],
    ['fd00::1', 'private'],
    ['ff02::1', 'private'],
    ['2001:db8::1', 'private'],
    ['2001:0:1::1', 'private'],
    ['::ffff:a9fe:a9fe', 'private'],
    ['::10.0.0.1', 'unspecified'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::a9fe:a9fe', 'private'],
    ['64:ff9b:1::1.1.1.1', 'private'],
    ['2002:a00:1::', 'private'],
    ['2002:7f00:1::', 'private'],
    ['64:ff9b::7f00:1', 'private'],
    ['::ffff:0:10.0.0.1', 'private'],
    ['::ffff:0:1.1.1.1', 'public'],
    ['64:ff9b::1.1.1.1', 'public'],
    ['2002:101:101::', 'public'],
  ])('%s is %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind)
  })

  test.each([
    '',
    'localhost',
    '1.2.3',
    '01.2.3.4',
    '256.1.1.1',
    '1::2::3',
    '1:2:3',
    ':::',
    '12345::',
    'g::',
  ])('%j is no address', (text) => {
    expect(classifyAddress(text)).toBeUndefined()
  })

  test('every IPv4 address is judged as a block list does', () => {
    const blocked = new BlockList()
    for (const [first, bits] of [
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 3],
    ] as const) {
      blocked.addSubnet(first, bits)
    }
    const edge = fc.constantFrom(
      0,
      10,
      100,
      127,
      169,
      172,
      192,
      198,
      203,
      224,
      64,
      254,
      16,
      168,
      255,
    )
    const byte = fc.oneof(edge, fc.nat(255))
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
        const address = bytes.join('.')
        expect(classifyAddress(address) === 'public').toBe(!blocked.check(address))
        expect(classifyAddress(`::ffff:${address}`)).toBe(classifyAddress(address))
      }),
    )
  })

  test('what Node takes for an address is one, and nothing else', () => {
    const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/))
    fc.assert(
      fc.property(text, (address) => {
        expect(classifyAddress(address) !== undefined).toBe(isIP(address) !== 0)
      }),
    )
  })

  test('names of this machine', () => {
    expect(
      ['localhost', 'LOCALHOST', 'a.localhost', '[::1]', '127.9.9.9'].every(isLoopbackHost),
    ).toBe(true)
    expect(['localhost.example.com', '127.0.0.1.nip.io', 'example.com'].some(isLoopbackHost)).toBe(
      false,
    )
  })
})

describe('whom limits count an address for', () => {
  test.each([
    ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:c000:201', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['fe80::1%eth0', 'fe80::2', true],
    ['unknown', 'unknown', true],
  ])('%s and %s are one: %s', (one, other, isOne) => {
    expect(addressBlock(one) === addressBlock(other)).toBe(isOne)
  })
})

describe('ranges of addresses', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:a01:203', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', 'proxy.example', false],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['fd00::/8', 'fd12:3456::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['::/0', '10.0.0.1', false],
    ['0.0.0.0/0', '203.0.113.9', true],
  ])('%s includes %s: %s', (range, address, isIncluded) => {
    expect(parseAddressRange(range)?.includes(address)).toBe(isIncluded)
  })

  test.each([
    '',
    'proxy.example',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0/8',
    '10.0.0.0/8/8',
  ])('a proxy cannot be %j', (text) => {
    expect(() => createTrustedProxies([text])).toThrow('is neither an address nor a range')
  })

  test('a range includes what a block list refuses', () => {
    const ipv4 = fc.record({ first: fc.ipV4(), bits: fc.nat(32), other: fc.ipV4() })
    const ipv6 = fc.record({ first: fc.ipV6(), bits: fc.nat(128), other: fc.ipV6() })
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), ({ first, bits, other }) => {
        const family = isIP(first) === 4 ? 'ipv4' : 'ipv6'
        const blocked = new BlockList()
        blocked.addSubnet(first, bits, family)
        fc.pre(
          ![first, other].some(
            (each) => classifyAddress(each) !== undefined && /^::ffff:/i.test(each),
          ),
        )

        expect(parseAddressRange(`${first}/${bits}`)?.includes(other)).toBe(
          blocked.check(other, family),
        )
      }),
    )
  })
})

describe('the caller behind proxies', () => {
  const { callerAddress } = createTrustedProxies(['127.0.0.1', '10.0.0.0/8'])

  test.each([
    ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['10.1.1.1', '6.6.6.6, 203.0.113.9, 10.7.7.7', '203.0.113.9'],
    ['::ffff:10.1.1.1', '203.0.113.9', '203.0.113.9'],
    ['10.1.1.1', '10.2.2.2, 10.3.3.3', '10.2.2.2'],
    ['10.1.1.1', ' , ', undefined],
    ['10.1.1.1', undefined, undefined],
    [undefined, '203.0.113.9', undefined],
  ])('on a connection of %s that is forwarded for %j is %s', (remote, forwarded, caller) => {
    expect(callerAddress(remote, forwarded)).toBe(caller)
  })
})
