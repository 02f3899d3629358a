import { describe, expect, test } from 'vitest'

import { browserCommand, hasBrowser } from '../../src/node/open-browser.ts'

const url = new URL('https://as.example/authorize?a=1&b=2%20c')

describe('opening a browser', () => {
  test.each<[NodeJS.Platform, string, readonly string[]]>([
    ['darwin', '/usr/bin/open', [url.href]],
    [
      'win32',
      String.raw`C:\Windows\System32\rundll32.exe`,
      ['url.dll,FileProtocolHandler', url.href],
    ],
    ['linux', 'xdg-open', [url.href]],
    ['freebsd', 'xdg-open', [url.href]],
  ])('on %s is %s with the URL as one argument, and no shell', (platform, file, args) => {
    expect(browserCommand(url, platform)).toEqual({ file, args })
  })

  test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, boolean]>([
    ['a screen', { DISPLAY: ':0' }, 'linux', true],
    ['Wayland', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    ['no screen', {}, 'linux', false],
    ['macOS', {}, 'darwin', true],
    ['Windows', {}, 'win32', true],
    ['a remote shell', { DISPLAY: ':0', SSH_CONNECTION: '1 2 3 4' }, 'linux', false],
    ['a remote shell on macOS', { SSH_TTY: '/dev/ttys0' }, 'darwin', false],
    ['a build machine', { CI: 'true', DISPLAY: ':0' }, 'linux', false],
  ])('is possible with %s', (_, environment, platform, isPossible) => {
    expect(hasBrowser(environment, platform)).toBe(isPossible)
  })
})
