import { linkWarnings } from '@parley/foundation/address'
import { expect, it } from 'vitest'

it.each([
  ['http://localhost:3000/run?cmd=x', 'is this machine'],
  ['http://127.1/', 'is this machine'],
  ['http://[::1]:8080/', 'is this machine'],
  ['http://app.localhost/', 'is this machine'],
  ['http://192.168.1.1/reboot', 'in your own network'],
  ['http://[fd00::1]/', 'in your own network'],
  ['http://169.254.169.254/latest', 'in your own network'],
  ['http://router/', 'in your own network'],
  ['http://printer.local/', 'in your own network'],
  ['https://bit.ly/abc', 'shortens addresses'],
  ['https://WWW.TinyURL.com/abc', 'shortens addresses'],
  ['https://ada@example.com/', 'is a user name'],
])('warns of %s', (url, warning) => {
  expect(linkWarnings(url)).toEqual([expect.stringContaining(warning)])
})

it.each(['https://example.com/pay', 'https://8.8.8.8/', 'https://notbit.ly/x', 'no address'])(
  'says nothing about %s',
  (url) => expect(linkWarnings(url)).toEqual([]),
)
