import { expect, test } from 'vitest'

import { readIcon } from '../../src/peer-icons/read-icon.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const png = `data:image/png;base64,${pixel}`
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const far = 'https://icons.example/a.png'

test('a picture in the message is shown, one elsewhere only named [N11-ICON-02, N11-ICON-05]', () => {
  expect(readIcon([{ src: far }, { src: png }], 'light')).toEqual({ kind: 'inline', url: png })
  expect(readIcon([{ src: far }], 'light')).toEqual({
    kind: 'remote',
    src: far,
    host: 'icons.example',
  })
})

test('an SVG is only ever the source of a picture [N11-ICON-03, N11-ICON-06]', () => {
  const src = `data:image/svg+xml,${encodeURIComponent(drawing)}`

  expect(readIcon([{ src }], 'light')).toEqual({
    kind: 'inline',
    url: `data:image/svg+xml;base64,${btoa(drawing)}`,
  })
})

test('the icon for the colours of the page wins [N11-ICON-07]', () => {
  const dark = { src: `data:image/svg+xml,${encodeURIComponent(drawing)}`, theme: 'dark' }

  expect(readIcon([dark, { src: png }], 'light')).toEqual({ kind: 'inline', url: png })
  expect(readIcon([dark, { src: png, theme: 'light' }], 'dark')).toMatchObject({ kind: 'inline' })
})

test.each([
  ['no list', 'x'],
  ['no address', [{ src: 1 }, null, 'x']],
  ['a script', [{ src: 'javascript:alert(1)' }]],
  ['a file', [{ src: 'file:///etc/passwd' }]],
  ['plain http', [{ src: 'http://icons.example/a.png' }]],
  ['a drawing that is called a photograph', [{ src: `data:image/png;base64,${btoa(drawing)}` }]],
  ['a page', [{ src: 'data:text/html,<script>alert(1)</script>' }]],
  ['no base64', [{ src: 'data:image/png;base64,%%%' }]],
  ['too much', [{ src: `data:image/png;base64,${pixel}${'A'.repeat(200_000)}` }]],
])('shows nothing for %s [N11-ICON-04, N11-ICON-05, N11-ICON-06]', (_, icons) => {
  expect(readIcon(icons, 'light')).toBeUndefined()
})
