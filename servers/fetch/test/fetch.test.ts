import { describe, expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { textOf } from '../../../test-support/text-of.ts'
import { article, atHome, openClient, openHost, type HostPage } from './support.ts'

const long = 'abcdefghij'.repeat(1_000)
const plain = { type: 'text/plain', body: 'Just text.' } as const
const rawPrefix = (type: string) =>
  `Content type ${type} cannot be simplified to markdown, but here is the raw content:\n`
const truncated = (next: number) =>
  `\n\n<error>Content truncated. Call the fetch tool with a start_index of ${next} to get more content.</error>`

interface Case {
  readonly name: string
  readonly pages?: Record<string, HostPage>
  /** A page of text, which is shown as it is. */
  readonly text?: string
  readonly args?: Record<string, unknown>
  /** After `Contents of <url>:\n`, and the prefix before it. */
  readonly shows?: string
  readonly prefix?: string
  /** The text of an error, with `$` for the URL. */
  readonly fails?: string | RegExp
}

/** What the reference server answers, by its documentation. */
const cases: readonly Case[] = [
  {
    name: 'text as it is',
    pages: { '/': plain },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'json as it is',
    pages: { '/': { type: 'application/json', body: '{"a":1}' } },
    prefix: rawPrefix('application/json'),
    shows: '{"a":1}',
  },
  {
    name: 'a page that was asked for raw',
    pages: { '/': { body: '<html><p>hi</p></html>' } },
    args: { raw: true },
    prefix: rawPrefix('text/html'),
    shows: '<html><p>hi</p></html>',
  },
  {
    name: 'raw text',
    pages: { '/': plain },
    args: { raw: true },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'a page as markdown',
    pages: { '/': { body: '<p>Some <b>words</b>.</p>' } },
    shows: 'Some **words**.',
  },
  {
    name: 'a page that only its content shows, in text/plain',
    text: '<html><body><p>Hello there.</p></body></html>',
    prefix: '',
    shows: 'Hello there.',
  },
  {
    name: 'a page without content type',
    pages: { '/': { type: null, body: '<p>No type.</p>' } },
    shows: 'No type.',
  },
  {
    name: 'a type with parameters',
    pages: { '/': { type: 'text/html; charset=utf-8', body: '<p>Ünïcode.</p>' } },
    shows: 'Ünïcode.',
  },
  {
    name: 'a page with nothing in it',
    pages: { '/': { body: '<html><body></body></html>' } },
    shows: '<error>Page failed to be simplified from HTML</error>',
  },
  {
    name: 'a page of scripts only',
    pages: { '/': { body: '<html><body><script>alert(1)</script></body></html>' } },
    shows: '<error>Page failed to be simplified from HTML</error>',
  },
  {
    name: 'an empty text',
    text: '',
    shows: '<error>No more content available.</error>',
  },
  {
    name: 'five thousand characters, and how to get more',
    text: long,
    shows: long.slice(0, 5_000) + truncated(5_000),
  },
  {
    name: 'as many characters as wanted',
    text: long,
    args: { max_length: 3 },
    shows: `abc${truncated(3)}`,
  },
  {
    name: 'the next part',
    text: long,
    args: { max_length: 4, start_index: 3 },
    shows: `defg${truncated(7)}`,
  },
  {
    name: 'the last part, shorter than allowed',
    text: 'abcdef',
    args: { max_length: 4, start_index: 4 },
    shows: 'ef',
  },
  {
    name: 'the last part, exactly as long as allowed',
    text: 'abcdef',
    args: { max_length: 4, start_index: 2 },
    shows: 'cdef',
  },
  {
    name: 'all of it, exactly as long as allowed',
    text: 'abcdef',
    args: { max_length: 6 },
    shows: 'abcdef',
  },
  {
    name: 'nothing past the end',
    text: 'abcdef',
    args: { start_index: 6 },
    shows: '<error>No more content available.</error>',
  },
  {
    name: 'nothing far past the end',
    text: 'abcdef',
    args: { start_index: 600_000 },
    shows: '<error>No more content available.</error>',
  },
  {
    name: 'characters rather than halves of them',
    text: '😀😁😂🤣',
    args: { max_length: 2, start_index: 1 },
    shows: `😁😂${truncated(3)}`,
  },
  {
    name: 'the page a redirect leads to, by the name it was asked for',
    pages: { '/': { status: 302, headers: { location: '/b' } }, '/b': plain },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'the encoding the page says',
    pages: {
      '/': {
        body: Buffer.from('<html><meta charset="iso-8859-1"><p>caf\u00e9</p></html>', 'latin1'),
      },
    },
    shows: 'café',
  },
  {
    name: 'the encoding the header says',
    pages: {
      '/': { type: 'text/plain; charset=latin1', body: Buffer.from('caf\u00e9', 'latin1') },
    },
    prefix: rawPrefix('text/plain; charset=latin1'),
    shows: 'café',
  },
  { name: 'a page that is not there', fails: 'Failed to fetch $ - status code 404' },
  {
    name: 'a page that is gone',
    pages: { '/': { status: 410 } },
    fails: 'Failed to fetch $ - status code 410',
  },
  {
    name: 'a host that fails',
    pages: { '/': { status: 500, body: 'oops' } },
    fails: 'Failed to fetch $ - status code 500',
  },
  {
    name: 'a page behind a login',
    pages: { '/': { status: 401 } },
    fails: 'Failed to fetch $ - status code 401',
  },
  {
    name: 'a robots.txt behind a login',
    pages: { '/': plain, '/robots.txt': { status: 401 } },
    fails: /robots\.txt \(.*\), received status 401: autonomous fetching is assumed .* prompt/,
  },
  {
    name: 'a robots.txt that is forbidden',
    pages: { '/': plain, '/robots.txt': { status: 403 } },
    fails: /received status 403: autonomous fetching is assumed to be forbidden/,
  },
  {
    name: 'a robots.txt that is gone',
    pages: { '/': plain, '/robots.txt': { status: 410 } },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'a robots.txt that allows everything',
    pages: { '/': plain, '/robots.txt': { body: 'User-agent: *\nAllow: /' } },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'an empty robots.txt',
    pages: { '/': plain, '/robots.txt': { body: '' } },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'a robots.txt that forbids everything',
    pages: { '/': plain, '/robots.txt': { body: '# stay out\nUser-agent: *\nDisallow: /' } },
    fails:
      /<useragent>ModelContextProtocol\/1\.0 \(Autonomous; .*<\/useragent>\n<url>http:.*<\/url>\n<robots>\nUser-agent: \*\nDisallow: \/\n<\/robots>/,
  },
  {
    name: 'a robots.txt that forbids this program',
    pages: { '/': plain, '/robots.txt': { body: 'User-agent: ModelContextProtocol\nDisallow: /' } },
    fails: /does not allow autonomous fetching of this page/,
  },
  {
    name: 'a robots.txt that forbids another program',
    pages: { '/': plain, '/robots.txt': { body: 'User-agent: OtherBot\nDisallow: /' } },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'a robots.txt whose rule is a comment',
    pages: { '/': plain, '/robots.txt': { body: 'User-agent: *\n  # Disallow: /' } },
    prefix: rawPrefix('text/plain'),
    shows: 'Just text.',
  },
  {
    name: 'a robots.txt that was moved',
    pages: {
      '/': plain,
      '/robots.txt': { status: 301, headers: { location: '/r' } },
      '/r': { body: 'User-agent: *\nDisallow: /' },
    },
    fails: /does not allow autonomous fetching/,
  },
  {
    name: 'a robots.txt of a host that fails, with rules in it',
    pages: { '/': plain, '/robots.txt': { status: 500, body: 'User-agent: *\nDisallow: /' } },
    fails: /does not allow autonomous fetching/,
  },
  { name: 'no characters', args: { max_length: 0 }, fails: /max_length/ },
  { name: 'too many characters', args: { max_length: 1_000_000 }, fails: /max_length/ },
  { name: 'a part of a character', args: { max_length: 1.5 }, fails: /max_length/ },
  { name: 'a start before the start', args: { start_index: -1 }, fails: /start_index/ },
  { name: 'raw that is no boolean', args: { raw: 'yes' }, fails: /raw/ },
  { name: 'what is no URL', args: { url: 'example' }, fails: /url/ },
  {
    name: 'a file',
    args: { url: 'file:///etc/passwd' },
    fails: /its scheme is file; only http and https/,
  },
  ...[
    `data:text/html,${'x'.repeat(2_000)}`,
    'javascript:alert(1)',
    'about:blank',
    'blob:https://example.com/1',
    'mailto:ada@example.com',
    'ws://127.0.0.1/',
    'ftp://127.0.0.1/',
  ].map((url) => ({
    name: url.slice(0, 20),
    args: { url },
    fails: new RegExp(
      `^Failed to fetch .{1,510}: its scheme is ${url.split(':', 1)[0]}; only http`,
    ),
  })),
]

describe('the tool fetch', () => {
  test.each(cases)('$name', async ({ pages = {}, text, args, shows, fails, ...rest }) => {
    const { prefix = text === undefined ? '' : rawPrefix('text/plain') } = rest
    const page = text === undefined ? {} : { '/': { type: 'text/plain', body: text } }
    await using host = await openHost({ ...pages, ...page })
    await using client = await openClient()
    const url = `${host.origin}/`

    const result = await client.callTool('fetch', { url, ...args })

    expect(result.isError ?? false).toBe(fails !== undefined)
    if (fails === undefined) expect(textOf(result)).toBe(`${prefix}Contents of ${url}:\n${shows}`)
    else if (typeof fails === 'string') expect(textOf(result)).toBe(fails.replace('$', url))
    else expect(textOf(result)).toMatch(fails)
  })

  test('finds the main content of a page, with headings in the form of ATX [REFS-02]', async () => {
    const inside =
      '<h2>Heading</h2><ul><li>One</li><li>Two</li></ul><pre><code>code()</code></pre><a href="/x">link</a>'
    await using host = await openHost({ '/': { body: article(inside) } })
    await using client = await openClient()

    const result = await client.callTool('fetch', { url: host.origin })

    expect(textOf(result)).toContain('## Heading\n')
    expect(textOf(result)).toMatch(/[*-] +One\n/)
    expect(textOf(result)).toContain('code()')
    expect(textOf(result)).toContain('[link](/x)')
    expect(textOf(result)).not.toContain('Menu')
    expect(textOf(result)).not.toContain('Imprint')
  })

  test('gives the same as structured content, marked as written by others', async () => {
    await using host = await openHost({
      '/': { status: 302, headers: { location: '/b' } },
      '/b': { body: article('<p>Read this.</p>') },
    })
    await using client = await openClient()

    const result = await client.callTool('fetch', { url: host.origin, max_length: 10 })

    expect(result.structuredContent).toEqual({
      url: `${host.origin}/b`,
      status: 200,
      content_type: 'text/html',
      title: 'A title',
      content: 'Read this.',
      start_index: 0,
      total_length: expect.any(Number) as number,
      next_start_index: 10,
      untrusted: true,
    })
    expect(result._meta).toMatchObject({ 'parley/untrusted-content': true })
  })

  test('tells how far it has come', async () => {
    await using host = await openHost({ '/': { type: 'text/plain', body: 'x'.repeat(2_000_000) } })
    await using client = await openClient()
    const seen: number[] = []

    await client.callTool(
      'fetch',
      { url: host.origin },
      { onProgress: ({ progress }) => seen.push(progress) },
    )

    expect(seen.length).toBeGreaterThan(2)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  test('gives up when its caller does, and so does the host', async () => {
    let isClosed: () => void
    const closed = new Promise<void>((resolve) => (isClosed = resolve))
    const { openLoggedServer } = await import('../../../test-support/http-log.ts')
    await using host = await openLoggedServer((_, { response }) => {
      response.on('close', () => isClosed())
      controller.abort(new Error('enough'))
      return undefined
    })
    await using client = await openClient()
    const controller = new AbortController()

    const call = client.callTool('fetch', { url: host.origin }, { signal: controller.signal })

    await expect(call).rejects.toThrow('enough')
    await closed
  })
})

describe('the prompt fetch', () => {
  test('has the page, without asking robots.txt', async () => {
    await using host = await openHost({
      '/': { body: '<p>Hello there.</p>' },
      '/robots.txt': { body: 'User-agent: *\nDisallow: /' },
    })
    await using client = await openClient()

    const result = await client.getPrompt('fetch', { url: `${host.origin}/` })

    expect(result).toMatchObject({
      description: `Contents of ${host.origin}/`,
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello there.' } }],
    })
    expect(host.paths()).toEqual(['GET /'])
    expect(host.seen[0]?.headers['user-agent']).toBe(
      'ModelContextProtocol/1.0 (User-Specified; +https://github.com/modelcontextprotocol/servers)',
    )
  })

  test.each([
    ['a page that is not there', (origin: string) => `${origin}/no`, 'status code 404'],
    ['what is no URL', () => 'example', 'it is not a URL'],
    ['an address inside', () => 'http://169.254.169.254/', 'not an address of the public internet'],
  ])('has the reason instead of %s', async (_, address, why) => {
    await using host = await openHost({})
    const { hostname } = new URL(host.origin)
    await using client = await openClient({ guard: { allowPrivate: [hostname] } })
    const url = address(host.origin)

    const result = await client.getPrompt('fetch', { url })

    expect(result.description).toBe(`Failed to fetch ${url}`)
    expect(JSON.stringify(result.messages)).toContain(why)
  })
})

test.each(triedRevisions)(
  'lists the tool and the prompt of the reference in %s',
  async (revision) => {
    await using client = await openClient(atHome, { revision })

    const [tool, ...others] = await client.listTools().toArray()
    const prompts = await client.listPrompts().toArray()

    expect(client.server.info?.name).toBe('mcp-fetch')
    expect(others).toEqual([])
    expect(tool?.name).toBe('fetch')
    expect(tool?.inputSchema).toMatchObject({
      type: 'object',
      properties: {
        url: { type: 'string', format: 'uri' },
        max_length: {
          type: 'integer',
          default: 5_000,
          exclusiveMinimum: 0,
          exclusiveMaximum: 1_000_000,
        },
        start_index: { type: 'integer', default: 0, minimum: 0 },
        raw: { type: 'boolean', default: false },
      },
      required: ['url'],
    })
    expect(prompts).toMatchObject([{ name: 'fetch', arguments: [{ name: 'url', required: true }] }])
    if (revision >= '2025-03-26') {
      expect(tool?.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      })
    }
  },
)
