import { Buffer } from 'node:buffer'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { iconTypeOf, isSafeIcon, pickIcon } from '../../src/schema/icons.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const dataUri = `data:image/png;base64,${png.toString('base64')}`
const src = 'https://example.com/icon.png'

describe('an icon', () => {
  test.each([
    'https://example.com/icon.png',
    'HTTPS://EXAMPLE.COM/ICON.PNG',
    dataUri,
    'data:image/svg+xml,<svg/>',
    'DATA:IMAGE/PNG;base64,AAAA',
  ])('may come from %s [N11-ICON-04]', (address) => {
    expect(isSafeIcon({ src: address })).toBe(true)
  })

  test.each([
    'http://example.com/icon.png',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    'ftp://example.com/icon.png',
    'ws://example.com/',
    'wss://example.com/',
    'app://icons/1',
    'blob:https://example.com/1',
    'vscode-resource:/a.png',
    '/icon.png',
    'icon.png',
    '//example.com/icon.png',
    '',
    'https://ada:secret@example.com/icon.png',
    'data:text/html,<script>alert(1)</script>',
    'data:,hello',
  ])('never comes from %j [N11-ICON-04, N11-ICON-05, N11-T-07]', (address) => {
    expect(isSafeIcon({ src: address })).toBe(false)
  })

  test.each([
    'image/png',
    'image/jpeg',
    'image/jpg',
    'image/svg+xml',
    'image/webp',
    'IMAGE/PNG',
    'image/svg+xml; charset=utf-8',
  ])('may be %s [N11-ICON-02, N11-ICON-03]', (mimeType) => {
    expect(isSafeIcon({ src, mimeType })).toBe(true)
  })

  test.each(['text/html', 'image/gif', 'application/octet-stream', 'image/png2', ''])(
    'is never %j [N11-ICON-05]',
    (mimeType) => {
      expect(isSafeIcon({ src, mimeType })).toBe(false)
    },
  )

  test('is what its address says, or nothing [N11-ICON-05]', () => {
    expect(isSafeIcon({ src: dataUri, mimeType: 'image/png' })).toBe(true)
    expect(isSafeIcon({ src: dataUri, mimeType: 'image/jpeg' })).toBe(false)
    expect(isSafeIcon({ src: 'data:image/jpg;base64,/9j/', mimeType: 'image/jpeg' })).toBe(true)
  })

  test('may be kept to fewer kinds and shorter addresses [N11-ICON-06]', () => {
    const drawn = { src, mimeType: 'image/svg+xml' }
    const long = { src: `data:image/png;base64,${'A'.repeat(300_000)}` }

    expect(isSafeIcon(drawn, { types: ['image/png'] })).toBe(false)
    expect(isSafeIcon(long)).toBe(false)
    expect(isSafeIcon(long, { dataChars: 400_000 })).toBe(true)
    expect(isSafeIcon({ src: dataUri }, { dataChars: 20 })).toBe(false)
  })
})

describe('the icon for a place', () => {
  const small = { src: `${src}?s`, sizes: ['16x16', '24x24'] }
  const large = { src: `${src}?l`, sizes: ['128x128'] }
  const drawn = { src: `${src}?d`, sizes: ['any'] }
  const dark = { src: `${src}?k`, theme: 'dark' as const }
  const light = { src: `${src}?w`, theme: 'light' as const }

  test.each([
    ['the one of its size', [large, small], { size: 24 }, small],
    ['a larger one rather than a smaller one', [small, large], { size: 48 }, large],
    ['the largest if all are smaller', [small, large], { size: 512 }, large],
    ['one for any size', [small, large, drawn], { size: 48 }, drawn],
    ['one without sizes, which fits any', [small, { src }], { size: 48 }, { src }],
    ['the first if any size will do', [small, large], {}, small],
    ['the one for its theme', [light, dark], { theme: 'dark' }, dark],
    ['one for its theme before one for any', [{ src }, dark], { theme: 'dark' }, dark],
    ['one without a theme, which suits any', [light, { src }], { theme: 'dark' }, { src }],
    ['any theme if none is wished for', [light, dark], {}, light],
    ['none rather than one for the other theme', [light], { theme: 'dark' }, undefined],
    ['none that is not safe', [{ src: 'http://example.com' }], {}, undefined],
    ['nothing where there is nothing', [], {}, undefined],
  ] as const)('is %s [N11-ICON-07]', (_, icons, wish, picked) => {
    expect(pickIcon(icons, wish)).toEqual(picked)
  })

  test('is always a safe one of those given', () => {
    const icon = fc.record(
      {
        src: fc.oneof(fc.webUrl(), fc.constant(dataUri), fc.string()),
        mimeType: fc.constantFrom('image/png', 'text/html', 'image/webp'),
        sizes: fc.array(fc.oneof(fc.string(), fc.constantFrom('48x48', 'any', '1x1'))),
        theme: fc.constantFrom('light' as const, 'dark' as const),
      },
      { requiredKeys: ['src'] },
    )
    fc.assert(
      fc.property(fc.array(icon), fc.nat(512), (icons, size) => {
        const picked = pickIcon(icons, { size })

        expect(picked !== undefined).toBe(icons.some((one) => isSafeIcon(one)))
        if (picked) expect(icons.filter((one) => isSafeIcon(one))).toContain(picked)
      }),
    )
  })
})

describe('bytes', () => {
  test.each([
    ['image/png', png],
    ['image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
    ['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['image/svg+xml', Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- a --><!-- b -->\n<svg>')],
    [undefined, Buffer.from('<!doctype html><svg></svg>')],
    [undefined, Buffer.from('<svgx>')],
    [undefined, Buffer.from('GIF89a')],
    [undefined, Buffer.from('RIFF\0\0\0\0WAVE', 'latin1')],
    [undefined, Buffer.from('')],
  ])('say themselves that they are %s [N11-ICON-02, N11-ICON-03, N11-ICON-05]', (type, bytes) => {
    expect(iconTypeOf(bytes)).toBe(type)
  })

  test('of a drawing are no photograph, whatever their label [N11-ICON-05]', () => {
    const label = 'image/png'

    expect(iconTypeOf(Buffer.from('<svg onload="alert(1)"/>'))).not.toBe(label)
  })

  test('of any other kind are nothing, and no fault', () => {
    const nasty = Buffer.from(`<!--${'--'.repeat(2_000)}`)

    expect(iconTypeOf(nasty)).toBeUndefined()
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void iconTypeOf(bytes)))
  })
})
