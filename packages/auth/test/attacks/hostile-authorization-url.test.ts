import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { browserCommand } from '../../src/node/open-browser.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

const platforms = ['darwin', 'win32', 'linux'] as const

describe('hostile authorization URLs: what an issuer calls its page is run as something else', () => {
  test.each([
    'file:///C:/Windows/System32/calc.exe',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ms-msdt:/id',
    'vscode://file/etc/passwd',
    'http://evil.example/',
    'https://user:password@as.example/',
    '\\\\evil\\share',
  ])('%s is not opened on any platform [SECX-11]', (url) => {
    for (const platform of platforms) {
      expect(() => browserCommand(new URL(url, 'file:///'), platform)).toThrow(
        expect.objectContaining({ code: 'address_refused' }),
      )
    }
  })

  test.each([
    'https://as.example/a?x="&calc.exe&"',
    'https://as.example/a?x=$(calc)',
    'https://as.example/a?x=`calc`',
    "https://as.example/a?x=';calc;'",
    'https://as.example/a?x=%0acalc',
    'https://as.example/a|calc',
    'https://as.example/a^calc',
    'https://as.example/a b',
    'https://as.example/a\ncalc',
    'https://as.example/ä?ö#ü',
  ])('%s is one harmless argument [SECX-12]', (url) => {
    for (const platform of platforms) {
      const { file, args } = browserCommand(new URL(url), platform)
      const last = args.at(-1) ?? ''

      expect(file).toMatch(/^(?:\/usr\/bin\/open|[A-Z]:.*\\System32\\rundll32\.exe|xdg-open)$/)
      expect(args).toHaveLength(platform === 'win32' ? 2 : 1)
      expect(last).toMatch(/^https:\/\/as\.example\/[!#$%&()*+,\-./0-9:;=?@A-Z[\]_a-z~]*$/)
      expect(new URL(last).origin).toBe('https://as.example')
    }
  })

  test('no URL becomes more than one argument, an option, or anything that is not https or local', () => {
    fc.assert(
      fc.property(
        fc.webUrl({
          withQueryParameters: true,
          withFragments: true,
          validSchemes: ['http', 'https', 'ftp'],
        }),
        (text) => {
          const url = new URL(text)
          for (const platform of platforms) {
            let last: string | undefined
            try {
              last = browserCommand(url, platform).args.at(-1)
            } catch {
              continue
            }
            expect(last).toMatch(/^https:\/\/[^\s"'`<>\\^{|}]*$/)
          }
        },
      ),
    )
  })

  test('the page of an issuer is checked before anybody is sent there', async () => {
    await using world = await openWorld({
      issuer: {
        metadata: (metadata) => ({ ...metadata, authorization_endpoint: 'file:///bin/sh' }),
      },
    })

    expect((await authErrorOf(world.connect())).code).toBe('metadata_invalid')
    expect(world.person.visited).toEqual([])
  })

  test('parameters that the page already has do not shadow ours', async () => {
    await using world = await openWorld({
      issuer: {
        metadata: (metadata) => ({
          ...metadata,
          authorization_endpoint: `${String(metadata['authorization_endpoint'])}?state=x&state=y&client_id=evil&tenant=1`,
        }),
      },
    })

    await (await world.connect()).close()

    const { searchParams } = world.person.visited[0] ?? new URL('x:')
    expect(searchParams.getAll('state')).toHaveLength(1)
    expect(searchParams.getAll('client_id')).toEqual(['client-1'])
    expect(searchParams.get('tenant')).toBe('1')
  })
})
