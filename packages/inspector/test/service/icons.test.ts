import { expect, test } from 'vitest'

import { createIcons } from '../../src/service/icons.ts'
import { openPage } from './page-client.ts'

const src = 'https://icons.example/a.png'
const png = Buffer.from('89504e470d0a1a0a', 'hex')

/** Loads an icon where the network answers this, and notes what was asked. */
async function load(answer: Response, from = src) {
  const asked: (RequestInit | undefined)[] = []
  const { 'icons/load': handle } = createIcons({
    find: () => undefined,
    fetch: async (_, init) => {
      asked.push(init)
      return answer
    },
  })
  const result = await Promise.resolve(handle({ server: 'a', src: from })).then(
    (found) => found,
    (error: unknown) => String(error),
  )
  return { result, asked }
}

test('an icon is asked for without credentials and without following redirects [N11-ICON-05]', async () => {
  const { result, asked } = await load(new Response(png))

  expect(result).toEqual({ type: 'image/png', data: png.toString('base64') })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ redirect: 'manual', credentials: 'omit' })
  expect(Object.keys(asked[0]?.headers ?? {})).toEqual(['accept'])
})

test('what is no picture is refused, whatever its label [N11-ICON-05]', async () => {
  const headers = { 'content-type': 'image/png' }

  expect((await load(new Response('<html>', { headers }))).result).toContain('not a PNG')
  const moved = new Response(null, { status: 302, headers: { location: src } })
  expect((await load(moved)).result).toContain('answered 302')
})

test.each(['http://icons.example/a.png', 'data:image/png,x', 'file:///a.png', 'ftp://a/b.png'])(
  'nothing is asked of %s [N11-ICON-04]',
  async (address) => {
    const { result, asked } = await load(new Response(png), address)

    expect(result).toContain('https')
    expect(asked).toEqual([])
  },
)

test('an address of this machine is not asked [N11-ICON-05]', async () => {
  await using page = await openPage({
    servers: [{ name: 'a', entry: { url: 'http://127.0.0.1:9' } }],
  })

  await expect(
    page.ask('icons/load', { server: 'a', src: 'https://127.0.0.1/a.png' }),
  ).rejects.toThrow(/not (?:contacted|allowed|public)/)
  await expect(page.ask('icons/load', { server: 'none', src })).rejects.toThrow('unknown server')
})
