import { expect, test } from 'vitest'

import { reaches, reachOf } from '../../../src/transport/http-client/request/host-reach.ts'

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '127.0.0.1',
  '127.9.9.9',
  '2130706433',
  '0x7f.1',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:0.0.0.0]',
  '[::127.0.0.1]',
  '[::2]',
])('%s is this machine', (host) => {
  expect(reachOf(hostOf(host))).toBe(reaches.machine)
})

test.each([
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '[::ffff:10.0.0.1]',
  '[fd00::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:a00:1::]',
  '[::ffff:0:10.0.0.1]',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
])('%s is of this network', (host) => {
  expect(reachOf(hostOf(host))).toBe(reaches.network)
})

test.each([
  'example.com',
  'localhost.example.com',
  '128.0.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '[2606:4700::1111]',
  '[64:ff9b::1.1.1.1]',
])('%s may be anywhere', (host) => {
  expect(reachOf(hostOf(host))).toBe(reaches.anywhere)
})
